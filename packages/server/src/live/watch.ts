/**
 * One stream for many runs: those that were named, all of some conversations, or all of one's own, also
 * those that begin later. A run is announced when it becomes visible; its lines carry its id. Stored runs are
 * told one after the other, live ones side by side.
 */
import type { Caller } from "../auth/caller.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { beginning, type Cursor } from "../streams/cursor.js";
import type { StreamForm } from "../streams/format.js";
import { cursorAfter, type Line } from "../streams/line.js";
import { safeJson } from "../streams/safeJson.js";
import type { Sink } from "../streams/sink.js";
import type { LineTarget } from "./lineTarget.js";
import { type ReaderOptions, readLive, readStored } from "./reader.js";
import { createReplay } from "./replay.js";
import { formatWatchCursor, type WatchCursor } from "./watchCursor.js";
import { createWatchPlaces } from "./watchPlaces.js";

export interface WatchOptions {
  readonly caller: Caller;
  readonly sink: Sink;
  readonly form: StreamForm;
  /** Runs that were named, and from where they are told. */
  readonly runs: ReadonlyMap<string, { readonly facts: RunFacts; readonly from: Cursor }>;
  readonly conversations: readonly string[];
  readonly isMine: boolean;
  readonly cursor: WatchCursor;
}

const relistMs = 10_000;
const mostListed = 1_000;

export async function watch(parts: ServerParts, options: WatchOptions): Promise<void> {
  const { store, hub, rights, clock, metrics, logger, bus } = parts;
  const { caller, sink, form, conversations, isMine } = options;
  const places = createWatchPlaces(options, clock.now);
  const closing = new AbortController();
  /** The conversations of runs that are being told. */
  const told = new Map<string, string>();
  const queue: (() => Promise<void>)[] = [];
  let isTelling = false;

  function framedLine(runId: string, json: string, cursor: string | undefined): string {
    const place = cursor === undefined ? "" : `"cursor":"${cursor}",`;
    const line = `{"run_id":"${runId}",${place}${json.slice(1)}`;
    if (form.framing === "ndjson") return `${line}\n`;
    return cursor === undefined ? `data: ${line}\n\n` : `id: ${cursor}\ndata: ${line}\n\n`;
  }

  function tell(runId: string, value: unknown): void {
    sink.write(framedLine(runId, safeJson(value), undefined));
  }

  function targetFor(runId: string): LineTarget {
    return {
      get isClosed() {
        return sink.isClosed;
      },
      get isFull() {
        return sink.fullSince !== undefined;
      },
      framing: undefined,
      write(lines) {
        if (Buffer.isBuffer(lines)) return sink.write(lines);
        return sink.write(textOf(runId, lines));
      },
      onDrain: sink.onDrain,
      onClose: sink.onClose,
      finish() {
        told.delete(runId);
        places.ended(runId);
      },
      cut: sink.cut,
    };
  }

  /** The batch's last line says where the reader is then. */
  function textOf(runId: string, lines: readonly Line[]): string {
    return lines
      .map((line, index) => {
        if (index < lines.length - 1) return framedLine(runId, line.json, undefined);
        places.moved(runId, cursorAfter(line));
        return framedLine(runId, line.json, formatWatchCursor(places.cursor));
      })
      .join("");
  }

  function add(run: RunFacts, asked: Cursor): void {
    const { runId, conversationId: conversation_id, status, lastSeq: last_seq } = run;
    tell(runId, { event: "run", data: { conversation_id, status, last_seq } });
    const isKnown = asked.seq + (asked.lines > 0 ? 1 : 0) <= last_seq;
    if (!isKnown) tell(runId, { event: "reset", data: { reason: "unknown_cursor", seq: 0 } });
    const cursor = isKnown ? asked : beginning;
    places.begun(run, cursor);
    told.set(runId, run.conversationId);
    const read = (range: { after: number; limit: number }) => store.read(runId, range);
    const reader: ReaderOptions = {
      target: targetFor(runId),
      cursor,
      replay: createReplay({ read, form, cursor, clock }),
      onCut: (reason) => metrics.add("callboard_streams_cut_total", { reason }),
    };
    if (status === "open") {
      readLive(hub, hub.channelOf(runId, form), reader);
      return;
    }
    queue.push(() => readStored(reader));
    if (!isTelling) void tellStored();
  }

  async function tellStored(): Promise<void> {
    isTelling = true;
    try {
      for (let next = queue.shift(); next && !sink.isClosed; next = queue.shift()) await next();
    } catch (error) {
      logger.error("a stored run cannot be told; its reader is cut", { error });
    }
    isTelling = false;
  }

  async function list(which: { readonly conversationId?: string }): Promise<void> {
    const runs = await store.listRuns(caller, { ...which, limit: mostListed });
    for (const run of runs.toReversed()) {
      const from = places.startOf(run);
      if (from !== undefined && !sink.isClosed) add(run, from);
    }
  }

  async function listAll(): Promise<void> {
    for (const conversationId of conversations) await list({ conversationId });
    if (isMine) await list({});
  }

  async function found(runId: string): Promise<void> {
    const run = await store.findRun(caller, runId);
    const from = run && places.startOf(run);
    if (run && from !== undefined && !sink.isClosed) add(run, from);
  }

  const leave = bus.onMessage((message) => {
    if (message.type !== "runStarted") return;
    const isWatched = conversations.includes(message.conversationId);
    if (!isWatched && !(isMine && message.userId === caller.userId)) return;
    found(message.runId).catch((error) => {
      logger.warn("a run that began cannot be looked up; it is found by the next list", { error });
    });
  });
  const watched = () => new Set([...conversations, ...told.values()]);
  rights.guard({ sink, form, caller, conversations: watched });
  sink.onClose(() => {
    leave();
    closing.abort();
  });
  for (const { facts, from } of options.runs.values()) add(facts, from);
  await listAll();
  void relist();

  /** A message of another node may be lost: what it told of is found here, later. */
  async function relist(): Promise<void> {
    for (;;) {
      await clock.sleep(relistMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        await listAll();
      } catch (error) {
        logger.warn("watched runs cannot be listed; it is tried again", { error });
      }
    }
  }
}
