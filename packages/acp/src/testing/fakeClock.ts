/** Time that stops until it is moved: sleepers wake in the order of their times. */
import type { Clock } from "@callboard/agent-sdk";

export interface FakeClock extends Clock {
  /** Moves time on, waking sleepers one by one; each has the word before the next. */
  advance(milliseconds: number): Promise<void>;
  /** How many sleep. */
  readonly sleepers: number;
}

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export function createFakeClock(start = 0): FakeClock {
  let now = start;
  let sleepers: Sleeper[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    get sleepers() {
      return sleepers.length;
    },
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper: Sleeper = {
          at: now + Math.max(0, milliseconds),
          wake: () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            resolve();
          },
        };
        sleepers = [...sleepers, sleeper];
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      }),
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        await breathe();
        const next = sleepers.toSorted((left, right) => left.at - right.at)[0];
        if (next === undefined || next.at > end) break;
        now = Math.max(now, next.at);
        next.wake();
      }
      now = end;
      await breathe();
    },
  };
}

/** Lets everything that was promised happen. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
