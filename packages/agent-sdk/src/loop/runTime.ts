/** How long a run is worked on. The time stops while everything in the run waits for an answer. */

import type { Clock } from "../types/clock.js";
import { whenAborted } from "../utils/abortReason.js";

export interface RunTime {
  elapsedMs(): number;
  /** Whether everything waits from now on. */
  rest(isResting: boolean): void;
  /** Resolves when the run was worked on for so long, or the signal aborts. */
  reached(ms: number, signal: AbortSignal): Promise<void>;
}

/** `before` is what earlier processes took, in milliseconds. */
export function createRunTime(clock: Clock, before: number): RunTime {
  let worked = before;
  let since: number | undefined = clock.monotonic();
  let changed = new AbortController();

  const elapsedMs = (): number =>
    worked + (since === undefined ? 0 : Math.max(0, clock.monotonic() - since));

  return {
    elapsedMs,
    rest(isResting) {
      if (isResting === (since === undefined)) return;
      worked = elapsedMs();
      since = isResting ? undefined : clock.monotonic();
      changed.abort();
      changed = new AbortController();
    },
    async reached(ms, signal) {
      while (!signal.aborted) {
        const left = ms - elapsedMs();
        if (since !== undefined && left <= 0) return;
        const woken = AbortSignal.any([signal, changed.signal]);
        await (since === undefined ? whenAborted(woken) : clock.sleep(left, woken));
      }
    },
  };
}
