/**
 * The calls of one agent that run in the background. It counts them as work of the run, so that the run is not parked
 * because of them, resolves waiters when one ends, and ends them with their agent.
 */
import type { CallId } from "@callboard/run-log";
import type { Parking } from "./parking.js";

export interface Background {
  /** Aborts when the agent ends before its calls. */
  readonly ended: AbortSignal;
  has(callId: CallId): boolean;
  readonly isBusy: boolean;
  /** Runs the rest of a call that has started. */
  start(callId: CallId, work: () => Promise<void>): void;
  /** Called after the end of such a call, before waiters are resolved. */
  afterEnd(callId: CallId, work: () => Promise<void>): void;
  /** Whether a call has ended since the last query. */
  takeNews(): boolean;
  /** Resolves when the next call has ended. Rejects if one could not be ended. */
  next(): Promise<void>;
  /** Cancels what still runs and waits for its end. */
  stop(reason: string): Promise<void>;
}

export function createBackground(parking: Parking, release: (callId: CallId) => void): Background {
  const running = new Map<CallId, Promise<void>>();
  const after = new Map<CallId, () => Promise<void>>();
  const over = new AbortController();
  let hasNews = false;

  async function life(callId: CallId, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      await after.get(callId)?.();
    } finally {
      running.delete(callId);
      after.delete(callId);
      release(callId);
      hasNews = true;
    }
  }

  return {
    ended: over.signal,
    has: (callId) => running.has(callId),
    get isBusy() {
      return running.size > 0;
    },
    start(callId, work) {
      const lived = parking.working(() => life(callId, work));
      // Notifies the code that waits for the next end or stops the rest.
      lived.catch(() => undefined);
      running.set(callId, lived);
    },
    afterEnd: (callId, work) => void after.set(callId, work),
    takeNews() {
      const had = hasNews;
      hasNews = false;
      return had;
    },
    next: () => Promise.race(running.values()),
    async stop(reason) {
      over.abort(new Error(reason));
      await Promise.all(running.values());
    },
  };
}
