/** How the runs of a session ended, for code that waits for one. An end may be known before it is requested. */
import { createDeferred, type Deferred } from "./deferred.js";
import type { RunEnd } from "./runFollower.js";

export interface RunEnds {
  end(runId: string, end: RunEnd): void;
  ended(runId: string): Promise<RunEnd>;
  /** No more events are read: all open ends, and all later requests, fail with this error. */
  fail(message: string): void;
}

const keptEnds = 100;

export function createRunEnds(): RunEnds {
  const ends = new Map<string, Deferred<RunEnd>>();
  let failure: RunEnd | undefined;

  function endOf(runId: string): Deferred<RunEnd> {
    const end = ends.get(runId) ?? createDeferred<RunEnd>();
    ends.set(runId, end);
    if (failure !== undefined) end.resolve(failure);
    const [oldest] = ends.keys();
    if (ends.size > keptEnds && oldest !== undefined) ends.delete(oldest);
    return end;
  }

  return {
    end: (runId, end) => endOf(runId).resolve(end),
    ended: (runId) => endOf(runId).promise,
    fail(message) {
      failure = { stopReason: "error", message };
      for (const end of ends.values()) end.resolve(failure);
    },
  };
}
