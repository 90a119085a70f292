/**
 * The position of a reader of many runs in each of them, and what its cursor must contain: the run up to which each
 * scope is sent, and the positions of the open ones. A run that waits for its turn is not open: the cursor need not name
 * it.
 */
import type { RunFacts } from "../stores/runStore.js";
import { beginning, type Cursor } from "../streams/cursor.js";
import type { WatchOptions } from "./watch.js";
import { ownRuns, type ScopePlace, type WatchCursor } from "./watchCursor.js";
import { createWatchScope, type WatchScope } from "./watchScope.js";

export interface RunToTell {
  readonly run: RunFacts;
  readonly from: Cursor;
}

export interface WatchPlaces {
  readonly scopes: ReadonlyMap<string, WatchScope>;
  /** The scope that a run belongs to; undefined for one that was only named. */
  scopeOf(run: RunFacts): string | undefined;
  /** The runs of a scope that are to be sent, in the order of their starts. */
  listed(scope: string, runs: readonly RunFacts[]): readonly RunToTell[];
  /** The starting position of a newly announced run; undefined if it is, or was, already sent. */
  heardOf(run: RunFacts): Cursor | undefined;
  /** Runs that the cursor names and no list has brought: they are to be looked up. */
  missing(): readonly string[];
  /** The starting position of such a run; undefined if it was sent, or is not visible. */
  resume(runId: string, run: RunFacts | undefined): Cursor | undefined;
  /** It will be sent when its turn comes. */
  enter(run: RunFacts, from: Cursor): void;
  begun(runId: string): void;
  moved(runId: string, place: Cursor): void;
  ended(runId: string): void;
  /** Drops what may no longer be read. */
  drop(conversationId: string): void;
  readonly cursor: WatchCursor;
}

interface Entry {
  readonly run: RunFacts;
  readonly scope: WatchScope | undefined;
  place: Cursor | "end";
  isWaiting: boolean;
  /** The position of its scope is past it: it must be named until it ends. */
  isPassed: boolean;
}

export function createWatchPlaces(
  options: Pick<WatchOptions, "caller" | "runs" | "conversations" | "isMine" | "cursor">,
): WatchPlaces {
  const { caller, cursor, runs: named, isMine } = options;
  const entries = new Map<string, Entry>();
  /** Named by the cursor, and not read yet. */
  const resumed = new Map(cursor.runs);
  const scopes = new Map<string, WatchScope>();
  for (const name of [...options.conversations, ...(isMine ? [ownRuns] : [])]) {
    const isOpenOnly = name === ownRuns;
    scopes.set(name, createWatchScope({ resumed: cursor.scopes.get(name), isOpenOnly }));
  }

  function scopeOf({ conversationId, userId }: RunFacts): string | undefined {
    if (scopes.has(conversationId)) return conversationId;
    return isMine && userId === caller.userId ? ownRuns : undefined;
  }

  function settle(scope: WatchScope | undefined): void {
    for (const runId of scope?.pass((id) => entries.get(id)?.isWaiting ?? false) ?? []) {
      const entry = entries.get(runId);
      if (entry) entry.isPassed = true;
      if (entry?.place === "end") entries.delete(runId);
    }
  }

  function enter(run: RunFacts, from: Cursor): void {
    const scope = scopes.get(scopeOf(run) ?? "");
    const isPassed = scope?.enter(run) ?? true;
    entries.set(run.runId, { run, scope, place: from, isWaiting: true, isPassed });
    resumed.delete(run.runId);
  }

  function begun(runId: string): void {
    const entry = entries.get(runId);
    if (!entry) return;
    entry.isWaiting = false;
    settle(entry.scope);
  }

  function ended(runId: string): void {
    const entry = entries.get(runId);
    if (!entry) return;
    entry.place = "end";
    if (entry.isPassed && entry.scope) entries.delete(runId);
    else settle(entry.scope);
  }

  function startOf(run: RunFacts): Cursor | undefined {
    if (entries.has(run.runId)) return undefined;
    const asked = named.get(run.runId)?.from;
    if (asked) return asked;
    const known = resumed.get(run.runId);
    if (known === undefined) return beginning;
    const isTold = known === "end" || (run.status === "closed" && known.seq >= run.lastSeq);
    if (!isTold) return known;
    enter(run, beginning);
    begun(run.runId);
    ended(run.runId);
    return undefined;
  }

  function toTell(runs: readonly RunFacts[]): readonly RunToTell[] {
    return runs.flatMap((run) => {
      const from = startOf(run);
      if (from === undefined) return [];
      enter(run, from);
      return [{ run, from }];
    });
  }

  return {
    scopes,
    scopeOf,
    listed(name, runs) {
      const own = runs.filter((run) => scopeOf(run) === name);
      return toTell(scopes.get(name)?.listed(own) ?? []);
    },
    heardOf(run) {
      const scope = scopes.get(scopeOf(run) ?? "");
      const [found] = scope ? toTell(scope.listed([run])) : [];
      return found?.from;
    },
    missing: () => [...resumed.keys()],
    resume(runId, run) {
      const found = run && scopeOf(run) !== undefined ? toTell([run]) : [];
      resumed.delete(runId);
      return found[0]?.from;
    },
    enter,
    begun,
    moved(runId, place) {
      const entry = entries.get(runId);
      if (entry) entry.place = place;
    },
    ended,
    drop(conversationId) {
      scopes.delete(conversationId);
      for (const [runId, { run, scope }] of entries) {
        if (run.conversationId !== conversationId) continue;
        scope?.leave(runId);
        entries.delete(runId);
      }
      for (const scope of scopes.values()) settle(scope);
    },
    get cursor() {
      const places = [...scopes].flatMap(([name, { place }]): [string, ScopePlace][] =>
        place === undefined ? [] : [[name, place]],
      );
      const runs = new Map(resumed);
      for (const [runId, { place, isWaiting, isPassed }] of entries) {
        if (!isWaiting || isPassed || !isBeginning(place)) runs.set(runId, place);
      }
      return { scopes: new Map(places), runs };
    },
  };
}

function isBeginning(place: Cursor | "end"): boolean {
  return place !== "end" && place.seq === 0 && place.lines === 0;
}
