/** Time that a test moves: sleepers wake in the order of their hours. Nothing here waits for real time. */
import type { Clock } from "@callboard/agent-sdk";

export interface TickingClock extends Clock {
  /** Moves time on and wakes whoever's hour has come. */
  advance(milliseconds: number): Promise<void>;
  /** Resolves once somebody sleeps for that long. */
  untilAsleep(milliseconds: number): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  readonly milliseconds: number;
  wake(): void;
}

export function createTickingClock(start = 1_800_000_000_000): TickingClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<() => void>();
  const isAsleep = (milliseconds: number): boolean =>
    [...sleepers].some((one) => one.milliseconds === milliseconds);
  return {
    now: () => now,
    monotonic: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper: Sleeper = {
          at: now + milliseconds,
          milliseconds,
          wake() {
            sleepers.delete(sleeper);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
        for (const watcher of [...watchers]) watcher();
      }),
    async advance(milliseconds) {
      now += milliseconds;
      const due = [...sleepers].filter(({ at }) => at <= now).sort((one, two) => one.at - two.at);
      for (const sleeper of due) {
        sleeper.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    untilAsleep: (milliseconds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isAsleep(milliseconds)) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
