/**
 * The one writer of one run. It records intents, stores what they gave in batches, and tells
 * subscribers only what is stored. Whoever must know that something is kept awaits `stored()`.
 * It decides nothing: the heart does.
 */
import {
  createRecorder,
  type Decision,
  type LogStore,
  type RunEvent,
  type RunId,
  type RunState,
  type Timed,
} from "@callboard/run-log";

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
  /** Aborts when storing fails. */
  readonly failed: AbortSignal;
}

export interface RunWriterOptions {
  readonly runId: RunId;
  readonly store: LogStore;
  readonly now: () => number;
  /** Told in order, after storing. It must not throw. */
  readonly tell: (event: RunEvent) => void;
}

export function createRunWriter({ runId, store, now, tell }: RunWriterOptions): RunWriter {
  const recorder = createRecorder(now);
  const failure = new AbortController();
  let pending: RunEvent[] = [];
  let storedSeq = 0;
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    // Lets everything that is recorded in the same turn of the event loop join one batch.
    await Promise.resolve();
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      await append(batch);
      for (const event of batch) tell(event);
    }
  }

  async function append(batch: readonly RunEvent[]): Promise<void> {
    try {
      const appended = await store.append(runId, storedSeq, batch);
      if (appended.status === "conflict") {
        throw new LogWriteError(
          `run ${runId} has another writer: its log is at ${appended.seq}, not at ${storedSeq}`,
        );
      }
      storedSeq = appended.seq;
    } catch (error) {
      const cause =
        error instanceof LogWriteError
          ? error
          : new LogWriteError(`run ${runId} could not be stored: ${messageOf(error)}`, {
              cause: error,
            });
      failure.abort(cause);
      throw cause;
    }
  }

  function startFlushing(): void {
    if (flushing !== undefined || failure.signal.aborted) return;
    flushing = flush().finally(() => {
      flushing = undefined;
    });
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
      if (decision.status === "accepted" && decision.events.length > 0) {
        pending.push(...decision.events);
        startFlushing();
      }
      return decision;
    },
    async stored() {
      while (flushing !== undefined) await flushing;
      failure.signal.throwIfAborted();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
