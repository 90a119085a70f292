/** The real time, for programs. Tests have a clock of their own. */
import type { Clock } from "../types/clock.js";

/** Beyond this a timer fires at once. */
const longestTimerMs = 2 ** 31 - 1;

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(milliseconds, 0), longestTimerMs));
      signal?.addEventListener("abort", end, { once: true });
    }),
};
