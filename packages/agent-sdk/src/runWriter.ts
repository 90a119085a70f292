/**
 * The one writer of one run. It records intents, stores what they gave in batches, and tells
 * subscribers only what is stored. Whoever must know that something is kept awaits `stored()`.
 * It decides nothing: the heart does.
 */
import {
  createRecorder,
  type Decision,
  type LogStore,
  type Refusal,
  type RunEvent,
  type RunId,
  type RunState,
  type Timed,
} from "@callboard/run-log";
import type { Logger } from "./types/logger.js";

/** The store did not take what was recorded. The run cannot go on: nothing it shows would be true. */
export class LogWriteError extends Error {
  override readonly name = "LogWriteError";
}

export interface RunWriter {
  readonly state: RunState;
  /** Records at once; storing and telling follow in order. */
  record(intent: Timed): Decision;
  /** Resolves when everything recorded so far is stored and told; rejects when storing failed. */
  stored(): Promise<void>;
  /** For who records much: a promise where too much waits to be stored, else nothing. It never rejects. */
  whenReady(): Promise<void> | undefined;
  /** Aborts when storing fails. */
  readonly failed: AbortSignal;
}

export interface RunWriterOptions {
  readonly runId: RunId;
  readonly store: LogStore;
  readonly now: () => number;
  /** Told in order, after storing. It must not throw. */
  readonly tell: (event: RunEvent) => void;
  readonly logger: Logger;
  /** The log as it is stored, where the run is gone on with. */
  readonly past?: readonly RunEvent[];
}

/** Events that may wait to be stored before who records them is asked to wait, too. */
const mostWaiting = 1_000;

export function createRunWriter(options: RunWriterOptions): RunWriter {
  const { runId, store, now, tell, past = [] } = options;
  const recorder = createRecorder(now, past);
  const failure = new AbortController();
  let pending: RunEvent[] = [];
  let storedSeq = past.length;
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    // Lets everything that is recorded in the same turn of the event loop join one batch.
    await Promise.resolve();
    try {
      while (pending.length > 0) {
        const batch = pending;
        pending = [];
        await append(batch);
        for (const event of batch) tell(event);
      }
    } finally {
      // In the breath of the last look: what is recorded a moment later starts another flush.
      flushing = undefined;
    }
  }

  async function append(batch: readonly RunEvent[]): Promise<void> {
    try {
      storedSeq = await appendOrThrow(store, runId, storedSeq, batch);
    } catch (error) {
      failure.abort(error);
      throw error;
    }
  }

  /** Whoever reports progress too late tells it in words of its own. */
  function tellRefusal(refusal: Refusal): void {
    if (refusal.intent === "progressCall") return;
    options.logger.error("the log refused what was to be recorded", { runId, ...refusal });
  }

  function startFlushing(): void {
    if (flushing !== undefined || failure.signal.aborted) return;
    flushing = flush();
    // The failure is kept in `failed` and thrown by `stored`; here it must only not go unhandled.
    flushing.catch(() => undefined);
  }

  return {
    get state() {
      return recorder.state;
    },
    failed: failure.signal,
    record(intent) {
      const decision = recorder.record(intent);
      if (decision.status === "refused") tellRefusal(decision.refusal);
      else if (decision.events.length > 0) {
        pending.push(...decision.events);
        startFlushing();
      }
      return decision;
    },
    async stored() {
      while (flushing !== undefined) await flushing;
      failure.signal.throwIfAborted();
    },
    // Whether storing fails is told by `failed` and `stored`.
    whenReady: () => (pending.length < mostWaiting ? undefined : flushing?.catch(() => undefined)),
  };
}

/** Gives the last position of the log. Whatever goes wrong is a LogWriteError. */
export async function appendOrThrow(
  store: LogStore,
  runId: RunId,
  expectedSeq: number,
  batch: readonly RunEvent[],
): Promise<number> {
  const appended = await store.append(runId, expectedSeq, batch).catch((cause: unknown) => {
    throw new LogWriteError(`run ${runId} could not be stored: ${messageOf(cause)}`, { cause });
  });
  if (appended.status === "appended") return appended.seq;
  throw new LogWriteError(
    `run ${runId} has another writer: its log is at ${appended.seq}, not at ${expectedSeq}`,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
