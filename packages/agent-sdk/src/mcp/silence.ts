/** How long a server has been silent about a call. The time in which the server waits for an answer does not count. */
import type { Clock } from "../types/clock.js";
import { SilenceError } from "./failures.js";

export interface SilenceWatch {
  /** Aborts with a SilenceError when the server was silent for too long. */
  readonly signal: AbortSignal;
  /** A message of the server arrived. */
  heard(): void;
  /** The server waits for us as long as `work` takes. */
  excused<Value>(work: () => Promise<Value>): Promise<Value>;
  stop(): void;
}

export function createSilenceWatch(timeoutMs: number, clock: Clock): SilenceWatch {
  const silent = new AbortController();
  let excuses = 0;
  let waiting = new AbortController();

  function restart(): void {
    waiting.abort();
    if (excuses > 0) return;
    const quiet = new AbortController();
    waiting = quiet;
    void clock.sleep(timeoutMs, quiet.signal).then(() => {
      if (!quiet.signal.aborted) silent.abort(new SilenceError("The server stayed silent."));
    });
  }
  restart();

  return {
    signal: silent.signal,
    heard: restart,
    async excused(work) {
      excuses += 1;
      restart();
      try {
        return await work();
      } finally {
        excuses -= 1;
        restart();
      }
    },
    stop() {
      excuses = Number.POSITIVE_INFINITY;
      waiting.abort();
    },
  };
}
