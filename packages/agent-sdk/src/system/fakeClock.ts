/**
 * Time for tests: it stops until a test moves it. Sleepers wake in the order of their times, and each finishes its work
 * before the next one wakes. Nothing here waits for real time.
 */
import type { Clock } from "../types/clock.js";

export interface FakeClock extends Clock {
  /** Moves time forward and wakes the sleepers whose time has come. */
  advance(milliseconds: number): Promise<void>;
  /** Changes the wall clock by this much, as a person or a time server does. Measured time is not affected. */
  setBy(milliseconds: number): void;
  /** Resolves with the length of a sleep once there is a sleeper; only of that length if one is given. */
  untilAsleep(milliseconds?: number): Promise<number>;
  /** The lengths of the open sleeps. */
  sleeping(): readonly number[];
}

interface Sleeper {
  readonly at: number;
  readonly milliseconds: number;
  wake(): void;
}

interface Watcher {
  readonly milliseconds: number | undefined;
  tell(milliseconds: number): void;
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let now = start;
  let setBy = 0;
  const sleepers = new Set<Sleeper>();
  const watchers = new Set<Watcher>();

  function nextDue(until: number): Sleeper | undefined {
    const due = [...sleepers].filter(({ at }) => at <= until);
    return due.reduce<Sleeper | undefined>(
      (first, one) => (first === undefined || one.at < first.at ? one : first),
      undefined,
    );
  }

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        at: now + milliseconds,
        milliseconds,
        wake() {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
      for (const watcher of watchers) {
        if (watcher.milliseconds !== undefined && watcher.milliseconds !== milliseconds) continue;
        watchers.delete(watcher);
        watcher.tell(milliseconds);
      }
    });
  }

  return {
    now: () => now + setBy,
    monotonic: () => now,
    sleep,
    setBy(milliseconds) {
      setBy += milliseconds;
    },
    async advance(milliseconds) {
      const until = now + milliseconds;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        now = Math.max(now, due.at);
        due.wake();
        await settleTasks();
      }
      now = until;
      await settleTasks();
    },
    untilAsleep(milliseconds) {
      const found = [...sleepers].find(
        (one) => milliseconds === undefined || one.milliseconds === milliseconds,
      );
      if (found !== undefined) return Promise.resolve(found.milliseconds);
      return new Promise((tell) => watchers.add({ milliseconds, tell }));
    },
    sleeping: () => [...sleepers].map(({ milliseconds }) => milliseconds),
  };
}

/** Lets everything run that waits for nothing but a promise. */
function settleTasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
