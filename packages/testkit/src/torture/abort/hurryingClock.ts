/**
 * Time that passes as fast as it can: when nothing is left to do, the next sleeper's hour has come. What
 * happens in it depends on nothing but the order of our own code, so a case replays exactly.
 */
import type { Clock } from "@callboard/agent-sdk";

export interface HurryingClock extends Clock {
  /** Resolves when no sleeper is left and nothing is left to do. */
  settled(): Promise<void>;
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

export function createHurryingClock(start = 1_800_000_000_000): HurryingClock {
  const sleepers = new Set<Sleeper>();
  let now = start;
  let isTicking = false;

  function first(): Sleeper | undefined {
    let earliest: Sleeper | undefined;
    for (const one of sleepers) if (earliest === undefined || one.at < earliest.at) earliest = one;
    return earliest;
  }

  /** Everything that waits for a promise alone is done before an immediate comes. */
  function tick(): void {
    const next = first();
    isTicking = next !== undefined;
    if (next === undefined) return;
    now = Math.max(now, next.at);
    next.wake();
    setImmediate(tick);
  }

  return {
    now: () => now,
    monotonic: () => now,
    sleep(milliseconds, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          at: now + Math.max(0, milliseconds),
          wake() {
            sleepers.delete(sleeper);
            signal?.removeEventListener("abort", sleeper.wake);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
        if (isTicking) return;
        isTicking = true;
        setImmediate(tick);
      });
    },
    async settled() {
      do await new Promise<void>((resolve) => setImmediate(resolve));
      while (isTicking || sleepers.size > 0);
    },
  };
}
