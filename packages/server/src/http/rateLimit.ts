/** How much one may take a minute: a bucket of tokens for each, refilled with time. */
import type { Clock } from "@callboard/agent-sdk";
import { HttpProblem } from "./problem.js";

export interface RateLimit {
  /** Throws a 429 if this one has taken too much. With 0 only what was taken before counts. */
  take(who: string, amount?: number): void;
  /** Takes without a refusal, for what is only known afterwards: what is too much is missing for the next ones. */
  spend(who: string, amount: number): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

const mostBuckets = 10_000;

/** `perMinute` on average, as many at once. Undefined limits nothing. `what` is counted: "requests". */
export function createRateLimit(
  perMinute: number | undefined,
  clock: Pick<Clock, "monotonic">,
  what = "requests",
): RateLimit {
  const buckets = new Map<string, Bucket>();

  function tokensOf(who: string, most: number): number {
    const now = clock.monotonic();
    const bucket = buckets.get(who) ?? { tokens: most, at: now };
    return Math.min(most, bucket.tokens + ((now - bucket.at) / 60_000) * most);
  }

  /** Taken out and put back, so that the first of the map is who has taken least recently. */
  function keep(who: string, tokens: number): void {
    buckets.delete(who);
    buckets.set(who, { tokens, at: clock.monotonic() });
    const oldest = buckets.keys().next();
    if (buckets.size > mostBuckets && oldest.done === false) buckets.delete(oldest.value);
  }

  return {
    spend(who, amount) {
      if (perMinute === undefined) return;
      // Nobody is refused for longer than a minute.
      keep(who, Math.max(-perMinute, tokensOf(who, perMinute) - amount));
    },
    take(who, amount = 1) {
      if (perMinute === undefined) return;
      const tokens = tokensOf(who, perMinute);
      const isEnough = tokens >= amount;
      keep(who, isEnough ? tokens - amount : tokens);
      if (isEnough) return;
      const missing = Math.min(perMinute, amount) - tokens;
      const seconds = Math.max(1, Math.ceil((missing / perMinute) * 60));
      const detail = `More than ${perMinute} ${what} a minute: try again in ${seconds} s.`;
      const headers = { "retry-after": String(seconds) };
      throw new HttpProblem(429, "too-many-requests", detail, { headers });
    },
  };
}
