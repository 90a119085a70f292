/** The abort signal of each call: it follows its run's, and can be aborted alone. */
import type { CallId } from "@callboard/run-log";

export interface CallSignals {
  signalOf(callId: CallId): AbortSignal;
  /** False when no such call is under way. */
  cancel(callId: string, reason: string): boolean;
  /** The call is over: it can no longer be cancelled. */
  release(callId: CallId): void;
}

export function createCallSignals(run: AbortSignal): CallSignals {
  const controllers = new Map<string, AbortController>();
  return {
    signalOf(callId) {
      const known = controllers.get(callId);
      if (known) return AbortSignal.any([known.signal, run]);
      const controller = new AbortController();
      controllers.set(callId, controller);
      return AbortSignal.any([controller.signal, run]);
    },
    cancel(callId, reason) {
      const controller = controllers.get(callId);
      if (!controller || controller.signal.aborted || run.aborted) return false;
      controller.abort(reason);
      return true;
    },
    release: (callId) => void controllers.delete(callId),
  };
}
