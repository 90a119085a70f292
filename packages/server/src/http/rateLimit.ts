/** How much one may take a minute: a bucket of tokens for each, refilled with time. */
import type { Clock } from "@callboard/agent-sdk";
import { HttpProblem } from "./problem.js";

export interface RateLimit {
  /** Throws a 429 if this one has taken too much. */
  take(who: string, amount?: number): void;
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
  return {
    take(who, amount = 1) {
      if (perMinute === undefined) return;
      const now = clock.monotonic();
      const bucket = buckets.get(who) ?? { tokens: perMinute, at: now };
      const gained = ((now - bucket.at) / 60_000) * perMinute;
      const tokens = Math.min(perMinute, bucket.tokens + gained);
      const isEnough = tokens >= amount;
      // Taken out and put back, so that the first of the map is who has taken least recently.
      buckets.delete(who);
      buckets.set(who, { tokens: isEnough ? tokens - amount : tokens, at: now });
      const oldest = buckets.keys().next();
      if (buckets.size > mostBuckets && oldest.done === false) buckets.delete(oldest.value);
      if (isEnough) return;
      const missing = Math.min(perMinute, amount) - tokens;
      const seconds = Math.max(1, Math.ceil((missing / perMinute) * 60));
      const detail = `More than ${perMinute} ${what} a minute: try again in ${seconds} s.`;
      const headers = { "retry-after": String(seconds) };
      throw new HttpProblem(429, "too-many-requests", detail, { headers });
    },
  };
}
