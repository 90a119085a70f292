/**
 * How long to wait before the next attempt: twice as long each time up to a ceiling, and by chance
 * somewhat less, so that many readers that lost one server do not come back in one moment.
 */
export interface Backoff {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Attempts without receiving anything before the stream is given up. */
  readonly maxAttempts: number;
}

export const defaultBackoff: Backoff = {
  firstDelayMs: 250,
  maxDelayMs: 10_000,
  maxAttempts: 12,
};

/** `attempt` counts from 1; `chance` is in [0, 1). The pause is never shorter than the server requested. */
export function delayBefore(
  attempt: number,
  chance: number,
  { firstDelayMs, maxDelayMs }: Backoff,
  askedMs = 0,
): number {
  const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 20));
  return Math.max(askedMs, Math.round(ceiling * (0.5 + chance / 2)));
}
