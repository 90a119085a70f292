/**
 * Detects silence: nothing came for too long although the reader was waiting. Time in which the reader itself was busy
 * does not count. One timer for any number of frames.
 */
import type { Clock } from "./clock.js";

export interface Watchdog {
  /** Waits for what should come, and watches meanwhile. */
  watch<Value>(coming: Promise<Value>): Promise<Value>;
}

/** Lives until the signal aborts; `bark` is called at most once. */
export function createWatchdog(
  clock: Clock,
  silenceMs: number,
  signal: AbortSignal,
  bark: () => void,
): Watchdog {
  let waitingSince: number | undefined;

  async function patrol(): Promise<void> {
    let quietMs = 0;
    while (!signal.aborted) {
      await clock.sleep(silenceMs - quietMs, signal);
      if (signal.aborted) return;
      quietMs = waitingSince === undefined ? 0 : clock.monotonic() - waitingSince;
      if (quietMs >= silenceMs) return bark();
    }
  }
  void patrol();

  return {
    async watch(coming) {
      waitingSince = clock.monotonic();
      try {
        return await coming;
      } finally {
        waitingSince = undefined;
      }
    },
  };
}
