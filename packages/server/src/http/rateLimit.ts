/** How often somebody may ask: a bucket of tokens for each, refilled with time. */
import type { Clock } from "@callboard/agent-sdk";
import { HttpProblem } from "./problem.js";

export interface RateLimit {
  /** Throws a 429 where this one has asked too often. */
  take(who: string): void;
}

interface Bucket {
  tokens: number;
  at: number;
}

const mostBuckets = 10_000;

/** `perMinute` on average, as many at once. Undefined limits nothing. */
export function createRateLimit(perMinute: number | undefined, clock: Clock): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(who) {
      if (perMinute === undefined) return;
      const now = clock.now();
      const bucket = buckets.get(who) ?? { tokens: perMinute, at: now };
      const gained = ((now - bucket.at) / 60_000) * perMinute;
      const tokens = Math.min(perMinute, bucket.tokens + gained);
      // Taken out and put back, so that the first of the map is who has asked least lately.
      buckets.delete(who);
      buckets.set(who, { tokens: Math.max(0, tokens - 1), at: now });
      const oldest = buckets.keys().next();
      if (buckets.size > mostBuckets && oldest.done === false) buckets.delete(oldest.value);
      if (tokens >= 1) return;
      const seconds = Math.ceil(((1 - tokens) / perMinute) * 60);
      const detail = `More than ${perMinute} requests a minute: try again in ${seconds} s.`;
      const headers = { "retry-after": String(seconds) };
      throw new HttpProblem(429, "too-many-requests", detail, { headers });
    },
  };
}
