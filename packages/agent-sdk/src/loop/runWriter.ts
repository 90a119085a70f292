/**
 * The one writer of one run. It joins text that comes within a pulse, records intents, stores the events in batches, and
 * emits only stored events to subscribers. A caller that needs a stored event awaits `stored()`. A refusal is never
 * ignored: `record` throws it, `propose` returns it to a caller that must read it. It decides nothing: `run-log` does.
 */

import { channel } from "node:diagnostics_channel";
import {
  type CallId,
  createRecorder,
  type Decision,
  type EventOf,
  type LogStore,
  type Refusal,
  type RunEvent,
  type RunId,
  type RunState,
  type Timed,
} from "@callboard/run-log";
import { messageOfError } from "@callboard/run-log/values";
import { createPulse, isAppending, isAppendOpen } from "@callboard/run-log/writing";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";

/** The store did not accept the recorded events. The run cannot continue: what it shows would not be stored. */
export class LogWriteError extends Error {
  override readonly name = "LogWriteError";
}

/** The log does not allow what its writer wanted to record: a bug in this package. The run cannot continue. */
export class RefusedIntentError extends Error {
  override readonly name = "RefusedIntentError";
  readonly refusal: Refusal;

  constructor(runId: RunId, refusal: Refusal) {
    super(`The log of run ${runId} refused ${refusal.intent}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

/** Every refusal that is a bug is published here; the test suite subscribes and fails the test. */
export const refusalChannel = channel("callboard:refusal");

export interface RunWriter {
  readonly state: RunState;
  /** Records at once, or with the next pulse if it is growing text; storing and emitting follow in order. Throws a RefusedIntentError. */
  record(intent: Timed): void;
  /** For an intent that may be refused: nothing is thrown, and a lint rule demands that the decision is read. */
  propose(intent: Timed): Decision;
  /** Logs an unexpected refusal, if the run can continue without the refused intent. */
  reportRefusal(refusal: Refusal): void;
  /** Resolves when everything recorded so far is stored and emitted; rejects if storing failed. */
  stored(): Promise<void>;
  /** For who records much: a promise where too much waits to be stored, else nothing. It never rejects. */
  whenReady(): Promise<void> | undefined;
  /** Keeps the closing of one call for the code that reports it, until `stop`. */
  watchClosing(callId: CallId): WatchedClosing;
  /** Aborts when storing fails. */
  readonly failed: AbortSignal;
}

export interface WatchedClosing {
  /** Absent while the call is open. */
  readonly closing: EventOf<"call.closed"> | undefined;
  readonly stop: () => void;
}

export interface RunWriterOptions {
  readonly runId: RunId;
  readonly store: LogStore;
  readonly clock: Clock;
  /**
   * Milliseconds: text that grows is recorded at once, then at most once in this time, and before
   * anything else of the run. 0 records every piece by itself.
   */
  readonly pulse: number;
  /** Told in order, after storing. It must not throw. */
  readonly tell: (event: RunEvent) => void;
  readonly logger: Logger;
  /** The log as it is stored, if the run is resumed. */
  readonly past?: readonly RunEvent[];
}

/** The number of unstored events after which recording callers must wait. */
const mostWaiting = 1_000;

export function createRunWriter(options: RunWriterOptions): RunWriter {
  const { runId, store, clock, tell, past = [] } = options;
  const recorder = createRecorder(clock.now, past);
  const pulse = createPulse(options.pulse);
  const failure = new AbortController();
  let pending: RunEvent[] = [];
  let storedSeq = past.length;
  let flushing: Promise<void> | undefined;
  let flushDue: NodeJS.Immediate | undefined;
  let waking: AbortController | undefined;
  const closings = new Map<CallId, EventOf<"call.closed"> | undefined>();

  async function flush(): Promise<void> {
    // Whoever runs beside the one that awaits `stored` and gets as far in the same microtask joins its batch.
    await Promise.resolve();
    try {
      while (pending.length > 0) {
        const batch = pending;
        pending = [];
        await append(batch);
        for (const event of batch) tell(event);
      }
    } finally {
      // Set in the same tick as the check, so that what is recorded later starts another flush.
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

  function reportRefusal(refusal: Refusal): void {
    options.logger.error("The log refused an event.", { runId, ...refusal });
    refusalChannel.publish({ runId, refusal });
  }

  function propose(intent: Timed): Decision {
    if (!isAppending(intent)) {
      releaseHeld();
      return proposeNow(intent);
    }
    if (!isAppendOpen(recorder.state, intent)) {
      releaseHeld();
      const decision = proposeNow(intent);
      if (decision.status === "accepted") pulse.began(intent, clock.monotonic());
      return decision;
    }
    if (!pulse.holds(intent, clock.monotonic())) return proposeNow(intent);
    waking ??= wakeAt(pulse.dueAt);
    return { status: "accepted", events: [], state: recorder.state };
  }

  /** Text is held only if its part is open, and everything else releases it first: it is never refused. */
  function releaseHeld(): void {
    waking?.abort();
    waking = undefined;
    for (const intent of pulse.release(clock.monotonic())) orThrow(proposeNow(intent));
  }

  function wakeAt(dueAt = clock.monotonic()): AbortController {
    const waiting = new AbortController();
    void clock.sleep(Math.max(0, dueAt - clock.monotonic()), waiting.signal).then(() => {
      if (waiting.signal.aborted) return;
      try {
        releaseHeld();
      } catch (error) {
        failure.abort(error);
      }
    });
    return waiting;
  }

  function proposeNow(intent: Timed): Decision {
    const decision = recorder.propose(intent);
    if (decision.status === "accepted" && decision.events.length > 0) {
      pending.push(...decision.events);
      if (closings.size > 0) keepClosings(decision.events);
      flushSoon();
    }
    return decision;
  }

  function keepClosings(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.type === "call.closed" && closings.has(event.callId)) {
        closings.set(event.callId, event);
      }
    }
  }

  function orThrow(decision: Decision): void {
    if (decision.status === "accepted") return;
    reportRefusal(decision.refusal);
    throw new RefusedIntentError(runId, decision.refusal);
  }

  /** Joins everything that is recorded in one turn of the event loop in one batch, unless a caller waits for it. */
  function flushSoon(): void {
    if (flushing === undefined) flushDue ??= setImmediate(startFlushing);
  }

  function startFlushing(): void {
    clearImmediate(flushDue);
    flushDue = undefined;
    if (flushing !== undefined || pending.length === 0 || failure.signal.aborted) return;
    flushing = flush();
    // The failure is kept in `failed` and thrown by `stored`; here it must only not go unhandled.
    flushing.catch(() => undefined);
  }

  return {
    get state() {
      return recorder.state;
    },
    failed: failure.signal,
    propose,
    reportRefusal,
    record: (intent) => orThrow(propose(intent)),
    async stored() {
      releaseHeld();
      startFlushing();
      while (flushing !== undefined) await flushing;
      failure.signal.throwIfAborted();
    },
    watchClosing(callId) {
      closings.set(callId, undefined);
      return {
        get closing() {
          return closings.get(callId);
        },
        stop: () => void closings.delete(callId),
      };
    },
    // `failed` and `stored` report whether storing fails.
    whenReady() {
      if (pending.length < mostWaiting) return undefined;
      startFlushing();
      return flushing?.catch(() => undefined);
    },
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
    throw new LogWriteError(`run ${runId} could not be stored: ${messageOfError(cause)}`, {
      cause,
    });
  });
  if (appended.status === "appended") return appended.seq;
  throw new LogWriteError(
    `run ${runId} has another writer: its log is at ${appended.seq}, not at ${expectedSeq}`,
  );
}
