/** Time as an argument: the real one in a program, a fake one in a test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some fixed moment, for measuring durations. Unlike `now` it never goes back and cannot be set. */
  monotonic(): number;
  /** Resolves after the time, or at once when the signal aborts; it never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
