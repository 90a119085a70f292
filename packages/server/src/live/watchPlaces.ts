/**
 * How far a reader of many runs is with each of them, and what of it its cursor must say. A run that was
 * told to its end and began long ago is not listed any more: the conversation says until when all are told.
 */
import type { RunFacts } from "../stores/runStore.js";
import { beginning, type Cursor } from "../streams/cursor.js";
import type { WatchOptions } from "./watch.js";
import type { WatchCursor } from "./watchCursor.js";

export interface WatchPlaces {
  /** From where a listed run is told; undefined where it is, or was, told already. */
  startOf(run: RunFacts): Cursor | undefined;
  begun(run: RunFacts, from: Cursor): void;
  moved(runId: string, place: Cursor): void;
  ended(runId: string): void;
  readonly cursor: WatchCursor;
}

/** A run that began this long ago is in every list by now. */
const settledMs = 60_000;
const own = "mine";

export function createWatchPlaces(
  options: Pick<WatchOptions, "runs" | "conversations" | "isMine" | "cursor">,
  now: () => number,
): WatchPlaces {
  const { cursor, runs: named, isMine } = options;
  const scopes = [...options.conversations, ...(isMine ? [own] : [])];
  // Of one's own runs, those that were over before are not told; of a conversation all are.
  const startOfMine = now();
  const toldUntil = new Map(scopes.map((scope) => [scope, cursor.toldUntil.get(scope) ?? 0]));
  const places = new Map<string, Cursor | "end">();
  const facts = new Map<string, RunFacts>();

  function scopeOf(run: RunFacts): string {
    return toldUntil.has(run.conversationId) ? run.conversationId : own;
  }

  /** Moves on over runs that ended and began long ago, in the order of their beginnings. */
  function settle(): void {
    const byAge = [...facts.values()].toSorted((one, other) => one.createdAt - other.createdAt);
    const stuck = new Set<string>();
    for (const run of byAge) {
      const scope = scopeOf(run);
      if (named.has(run.runId) || stuck.has(scope)) continue;
      if (places.get(run.runId) !== "end" || run.createdAt > now() - settledMs) {
        stuck.add(scope);
        continue;
      }
      toldUntil.set(scope, Math.max(toldUntil.get(scope) ?? 0, run.createdAt));
      places.delete(run.runId);
      facts.delete(run.runId);
    }
  }

  return {
    startOf(run) {
      if (places.has(run.runId)) return undefined;
      const known = cursor.runs.get(run.runId);
      const isTold =
        run.status === "closed" && known !== "end" && (known?.seq ?? -1) >= run.lastSeq;
      if (known === "end" || isTold) {
        places.set(run.runId, "end");
        facts.set(run.runId, run);
        return undefined;
      }
      if (known) return known;
      const scope = scopeOf(run);
      if (run.createdAt <= (toldUntil.get(scope) ?? 0)) return undefined;
      const isOfOld = scope === own && run.createdAt < startOfMine && run.status === "closed";
      return isOfOld && !cursor.toldUntil.has(own) ? undefined : beginning;
    },
    begun(run, from) {
      places.set(run.runId, from);
      facts.set(run.runId, run);
    },
    moved: (runId, place) => void places.set(runId, place),
    ended(runId) {
      places.set(runId, "end");
      settle();
    },
    get cursor() {
      return { toldUntil, runs: places };
    },
  };
}
