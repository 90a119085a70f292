/** The pause before a request is retried. Time and randomness are arguments. */

const firstDelayMs = 500;
const longestDelayMs = 30_000;

/** A provider that requests a longer pause is not waited for. */
export const longestRetryAfterMs = 300_000;

/** Doubles from half a second to half a minute; the upper half of it is left to chance. */
export function backoffMs(attempt: number, random: () => number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** attempt);
  return Math.round(ceiling / 2 + (ceiling / 2) * random());
}

/** `Retry-After` in seconds or as a date, and the milliseconds that some providers add. */
export function retryAfterMs(
  headers: Readonly<Record<string, string>> | undefined,
  now: number,
): number | undefined {
  const precise = Number(headers?.["retry-after-ms"] || Number.NaN);
  if (precise >= 0) return precise;
  const said = headers?.["retry-after"]?.trim();
  if (!said) return undefined;
  const seconds = Number(said);
  if (seconds >= 0) return Math.ceil(seconds * 1000);
  const date = Date.parse(said);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
