/**
 * Linearity: what one call's replaced contents cost together, against the largest of them. It counts
 * sizes only, keeps no content, and answers once, when the call is over.
 */
import { type Remark, violation } from "./rules.js";

/** Repeating a content shorter than this is not reported. */
const worthCounting = 65_536;
const tooOften = 8;

interface Sent {
  times: number;
  total: number;
  largest: number;
}

export interface Resending {
  count(field: string, size: number): void;
  /** One remark per field that was re-sent too often. */
  verdict(callId: string): readonly Remark[];
}

export function createResending(): Resending {
  const fields = new Map<string, Sent>();
  return {
    count(field, size) {
      const sent = fields.get(field) ?? { times: 0, total: 0, largest: 0 };
      sent.times += 1;
      sent.total += size;
      sent.largest = Math.max(sent.largest, size);
      fields.set(field, sent);
    },
    verdict(callId) {
      const remarks: Remark[] = [];
      for (const [field, { times, total, largest }] of fields) {
        if (total < worthCounting || total <= tooOften * largest) continue;
        const cost = `${total} characters for a largest ${field} of ${largest}`;
        remarks.push(violation("resent-content", `${field} sent ${times} times: ${cost}`, callId));
      }
      fields.clear();
      return remarks;
    },
  };
}
