/**
 * Parts of the page that are loaded when they are needed. A server that restarts cannot deliver them for a moment, so a
 * load that fails is tried again. `PageGuard` shows what still fails.
 */
import { lazy } from "react";

/** About half a minute in all: longer than a restart. */
const waitsMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

export const lazyPart: typeof lazy = (load) => lazy(() => retried(load, sleep));

/** Resolves with what is loaded; rejects with the last failure once every wait is used up. */
export async function retried<Value>(
  load: () => Promise<Value>,
  wait: (ms: number) => Promise<void>,
): Promise<Value> {
  for (const waitMs of waitsMs) {
    try {
      return await load();
    } catch (error) {
      console.warn(`Loading a part of the page failed; retrying in ${waitMs} ms.`, error);
      await wait(waitMs);
    }
  }
  return await load();
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
