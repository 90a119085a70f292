/** Time for tests: it stops until a test moves it. Sleepers wake in the order of their times. */
import type { Clock } from "@callboard/agent-sdk";

export interface FakeClock extends Clock {
  /** Moves time forward, waking the due sleepers one after the other. */
  advance(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    monotonic: () => now,
    sleep(milliseconds, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          at: now + milliseconds,
          wake() {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      });
    },
    async advance(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        await settled();
        const due = [...sleepers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        const [first] = due;
        if (first === undefined) break;
        now = Math.max(now, first.at);
        first.wake();
      }
      now = until;
      await settled();
    },
  };
}
