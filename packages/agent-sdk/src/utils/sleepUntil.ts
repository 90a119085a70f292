/** Sleeps that are longer than a timer can be. */
import type { Clock } from "../types/clock.js";

/** Resolves at the time or when the signal aborts; at once if the time has come. */
export async function sleepUntil(clock: Clock, at: number, signal: AbortSignal): Promise<void> {
  // A clock may wake too early: the longest timers are shorter than a month.
  while (!signal.aborted && clock.now() < at) await clock.sleep(at - clock.now(), signal);
}

/** The same for a moment of the monotonic time, which no one can set. */
export async function sleepUntilMonotonic(
  clock: Clock,
  at: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && clock.monotonic() < at) {
    await clock.sleep(at - clock.monotonic(), signal);
  }
}
