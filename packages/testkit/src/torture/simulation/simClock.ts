/** The clock of one node: its sleeps take the world's time, and its hour may be set wrong. */
import type { Clock } from "@callboard/agent-sdk";
import type { Actor, World } from "./world.js";

export interface SimClock extends Clock {
  /** Sets the hour on or back, as an administrator or a time service does. Sleeps take as long as before. */
  jump(milliseconds: number): void;
}

export function createSimClock(world: World, actor: Actor): SimClock {
  let offset = 0;
  return {
    now: () => world.now() + offset,
    monotonic: world.now,
    jump(milliseconds) {
      offset += milliseconds;
    },
    sleep(milliseconds, signal) {
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          signal?.removeEventListener("abort", abort);
          resolve();
        };
        const cancel = world.after(milliseconds, actor, "", end);
        const abort = (): void => {
          cancel();
          end();
        };
        signal?.addEventListener("abort", abort, { once: true });
      });
    },
  };
}
