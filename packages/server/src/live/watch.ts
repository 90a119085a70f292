/**
 * One stream for many runs: named runs, all of some conversations, or all of the caller's own, also those that start
 * later. A run is announced when it becomes visible; its lines contain its id. Stored runs are sent one after the other,
 * live ones in parallel. Runs that may no longer be read are omitted.
 */
import type { Caller } from "../auth/caller.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts, RunStore } from "../stores/runStore.js";
import { beginning, type Cursor } from "../streams/cursor.js";
import type { StreamForm } from "../streams/format.js";
import type { Sink } from "../streams/sink.js";
import { readLive, readStored } from "./reader.js";
import { readerForm } from "./readerForm.js";
import { createReplay } from "./replay.js";
import { ownRuns, type WatchCursor } from "./watchCursor.js";
import { createWatchLines } from "./watchLines.js";
import { createWatchPlaces } from "./watchPlaces.js";
import { createWatchTarget, type WatchTarget } from "./watchTarget.js";

export interface WatchOptions {
  readonly caller: Caller;
  readonly sink: Sink;
  readonly form: StreamForm;
  /** Named runs, and their starting positions. */
  readonly runs: ReadonlyMap<string, { readonly facts: RunFacts; readonly from: Cursor }>;
  readonly conversations: readonly string[];
  readonly isMine: boolean;
  /** The caller's own runs before the response started; absent if the cursor contains their positions. */
  readonly own?: readonly RunFacts[];
  readonly cursor: WatchCursor;
  /** Named runs that may not be read. */
  readonly unseen: { readonly runs: readonly string[]; readonly conversations: readonly string[] };
}

const relistMs = 10_000;

type WatchParts = Pick<
  ServerParts,
  "hub" | "rights" | "clock" | "metrics" | "logger" | "bus" | "redactor"
> & {
  readonly store: Pick<RunStore, "runsInOrder" | "findRun" | "read" | "accessOf">;
};

export async function watch(parts: WatchParts, options: WatchOptions): Promise<void> {
  const { store, hub, rights, clock, metrics, logger, bus } = parts;
  const { caller, sink, form, isMine, unseen } = options;
  const places = createWatchPlaces(options);
  const hasBacklog = (): boolean => queue.length > 0;
  const lines = createWatchLines({ sink, form, places, monotonic: clock.monotonic, hasBacklog });
  const closing = new AbortController();
  /** Runs that are being sent, or wait for it. */
  const told = new Map<string, { readonly conversationId: string; readonly target: WatchTarget }>();
  const queue: (() => Promise<void>)[] = [];
  const named = new Map(options.runs);
  let isTelling = false;

  const forms = new Map<string, Promise<StreamForm>>();

  /** How a run is shown to this reader. */
  function formOf(run: RunFacts): Promise<StreamForm> {
    if (run.userId === caller.userId) return Promise.resolve(form);
    const known = forms.get(run.conversationId) ?? readerForm(parts, form, caller, run);
    forms.set(run.conversationId, known);
    return known;
  }

  /** A run that its places know already. */
  function add(run: RunFacts, asked: Cursor, own: StreamForm): void {
    const { runId, conversationId, status, lastSeq: last_seq } = run;
    lines.tell(runId, {
      event: "run",
      data: { conversation_id: conversationId, status, last_seq },
    });
    const isKnown = asked.seq + (asked.lines > 0 ? 1 : 0) <= last_seq;
    const cursor = isKnown ? asked : beginning;
    if (!isKnown) {
      lines.tell(runId, { event: "reset", data: { reason: "unknown_cursor", seq: 0 } });
      places.moved(runId, beginning);
    }
    const isLive = status === "open";
    const target = createWatchTarget({
      sink,
      write: (some) => lines.write(runId, some, isLive),
      onFinish() {
        told.delete(runId);
        places.ended(runId);
      },
    });
    told.set(runId, { conversationId, target });
    named.delete(runId);
    const reader = () => ({
      target,
      cursor,
      replay: createReplay({
        read: (range) => store.read(runId, range),
        form: own,
        cursor,
        clock,
      }),
      onCut: (reason: string) => metrics.add("callboard_streams_cut_total", { reason }),
    });
    if (isLive) {
      places.begun(runId);
      readLive(hub, hub.channelOf(runId, own), reader());
      return;
    }
    queue.push(async () => {
      if (target.isClosed) return;
      places.begun(runId);
      await readStored(reader());
    });
    if (!isTelling) void tellStored();
  }

  async function tellStored(): Promise<void> {
    isTelling = true;
    // Runs of one list are in the queue before the first of them is sent.
    await Promise.resolve();
    try {
      for (let next = queue.shift(); next && !sink.isClosed; next = queue.shift()) await next();
    } catch (error) {
      logger.error("Sending a stored run failed; disconnected the reader.", { error });
    }
    isTelling = false;
  }

  async function runsOf(scope: string, since: number): Promise<readonly RunFacts[]> {
    const which = scope === ownRuns ? {} : { conversationId: scope };
    const runs: RunFacts[] = [];
    for await (const page of store.runsInOrder(caller, { ...which, since })) runs.push(...page);
    return runs;
  }

  async function formsOf(runs: readonly RunFacts[]): Promise<(run: RunFacts) => StreamForm> {
    const shown = new Map<string, StreamForm>();
    for (const run of runs) shown.set(run.runId, await formOf(run));
    const redacted = { ...form, redactor: parts.redactor };
    return ({ runId }) => shown.get(runId) ?? redacted;
  }

  async function listAll(): Promise<void> {
    for (const [name, scope] of places.scopes) {
      const runs = await runsOf(name, scope.listFrom);
      const shown = await formsOf(runs);
      if (sink.isClosed) return;
      for (const { run, from } of places.listed(name, runs)) add(run, from, shown(run));
    }
  }

  async function addNamed(): Promise<void> {
    for (const runId of places.missing()) {
      const run = await store.findRun(caller, runId);
      const own = run && (await formOf(run));
      const from = places.resume(runId, run);
      if (run && own && from && !sink.isClosed) add(run, from, own);
    }
    for (const { facts, from } of named.values()) {
      const own = await formOf(facts);
      if (sink.isClosed) return;
      places.enter(facts, from);
      add(facts, from, own);
    }
  }

  async function found(runId: string): Promise<void> {
    await ready;
    const run = await store.findRun(caller, runId);
    const own = run && (await formOf(run));
    const from = run && places.heardOf(run);
    if (run && own && from !== undefined && !sink.isClosed) add(run, from, own);
  }

  function lose(conversationIds: readonly string[]): void {
    for (const conversation_id of conversationIds) {
      lines.tellClosed({ conversation_id }, "access_lost");
      places.drop(conversation_id);
      for (const [runId, { conversationId, target }] of told) {
        if (conversationId !== conversation_id) continue;
        told.delete(runId);
        target.drop();
      }
    }
    if (places.scopes.size === 0 && told.size === 0) sink.end();
  }

  const leave = bus.onMessage((message) => {
    if (message.type !== "runStarted") return;
    const isWatched = places.scopes.has(message.conversationId);
    if (!isWatched && !(isMine && message.userId === caller.userId)) return;
    found(message.runId).catch((error) => {
      logger.warn("Reading a run that started failed; the next poll finds it.", { error });
    });
  });
  const conversations = () =>
    new Set([
      ...[...places.scopes.keys()].filter((name) => name !== ownRuns),
      ...[...told.values()].map(({ conversationId }) => conversationId),
    ]);
  rights.guard({ sink, form, caller, conversations, onLost: lose });
  sink.onClose(() => {
    leave();
    closing.abort();
  });
  for (const run_id of unseen.runs) lines.tellClosed({ run_id }, "not_found");
  for (const conversation_id of unseen.conversations) {
    lines.tellClosed({ conversation_id }, "not_found");
  }
  if (options.own) {
    for (const { run, from } of places.listed(ownRuns, options.own)) add(run, from, form);
  }
  const ready = listAll().then(addNamed);
  await ready;
  void relist();

  /** A message of another node may be lost: its run is found here, later. */
  async function relist(): Promise<void> {
    for (;;) {
      await clock.sleep(relistMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        await listAll();
      } catch (error) {
        logger.warn("Listing the watched runs failed; retrying.", { error });
      }
    }
  }
}
