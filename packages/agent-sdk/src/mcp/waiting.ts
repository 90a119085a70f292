/** Waiting that ends: with its event, with an abort, or with a time of the clock. */

import type { Clock } from "../types/clock.js";
import { ToolFailure } from "../utils/toolFailure.js";

/** Rejects with a ToolFailure of type `cancelled` if the signal comes first; the promise continues. */
export async function settledOrAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new ToolFailure("cancelled", "The call was cancelled."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener("abort", stop);
  }
}

/** Rejects with an error that contains the time if the clock comes first; the promise continues. */
export async function settledInTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  clock: Clock,
): Promise<Value> {
  const waiting = new AbortController();
  const late = new Promise<never>((_, reject) => {
    void clock.sleep(milliseconds, waiting.signal).then(() => {
      if (waiting.signal.aborted) return;
      reject(new Error(`No answer came within ${milliseconds / 1_000} s.`));
    });
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    waiting.abort();
  }
}
