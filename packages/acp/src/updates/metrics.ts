/**
 * The cost and the savings of updates, counted as they pass. Plain numbers: a program prints them, a server exports them
 * to Prometheus. It measures no time by itself; the time is an argument.
 */
import type { LineCall } from "./lineCall.js";
import { sizeBuckets, totalOf, type UpdateStats } from "./updateStats.js";

export interface UpdateMetrics {
  /** `call` names the call of the line; its metrics count once it has ended. */
  sent(kind: string, bytes: number, call?: LineCall): void;
  count(what: "offered" | "merged" | "suppressed" | "failedWrites"): void;
  spare(chars: number): void;
  /** Runs the work and adds its time to `detectionMs`. */
  detect<Value>(work: () => Value): Value;
  readonly stats: UpdateStats;
}

/** A foreign agent may invent kinds without end; beyond these they are counted together. */
const mostKinds = 48;
/** Calls that never end are forgotten, the oldest first. */
const mostOpenCalls = 10_000;

/** `now` gives milliseconds of any origin, with fractions. */
export function createUpdateMetrics(now: () => number): UpdateMetrics {
  const updates = new Map<string, number>();
  const bytes = new Map<string, number>();
  const sizes = [...sizeBuckets, 0].map(() => 0);
  const counts = { offered: 0, merged: 0, suppressed: 0, failedWrites: 0 };
  let largestBytes = 0;
  let sparedChars = 0;
  let detectionMs = 0;
  const open = new Map<string, { readonly updates: number; readonly bytes: number }>();
  const ended = { calls: 0, callUpdates: 0, callBytes: 0, largestCallBytes: 0 };

  function countCall({ key, isFinal }: LineCall, size: number): void {
    const before = open.get(key) ?? { updates: 0, bytes: 0 };
    const call = { updates: before.updates + 1, bytes: before.bytes + size };
    open.delete(key);
    if (isFinal) {
      ended.calls += 1;
      ended.callUpdates += call.updates;
      ended.callBytes += call.bytes;
      ended.largestCallBytes = Math.max(ended.largestCallBytes, call.bytes);
      return;
    }
    open.set(key, call);
    const [oldest] = open.keys();
    if (open.size > mostOpenCalls && oldest !== undefined) open.delete(oldest);
  }

  return {
    sent(given, size, call) {
      if (call) countCall(call, size);
      const kind = updates.has(given) || updates.size < mostKinds ? given : "other";
      updates.set(kind, (updates.get(kind) ?? 0) + 1);
      bytes.set(kind, (bytes.get(kind) ?? 0) + size);
      const found = sizeBuckets.findIndex((limit) => size <= limit);
      const bucket = found === -1 ? sizeBuckets.length : found;
      sizes[bucket] = (sizes[bucket] ?? 0) + 1;
      largestBytes = Math.max(largestBytes, size);
    },
    count(what) {
      counts[what] += 1;
    },
    spare(chars) {
      sparedChars += chars;
    },
    detect(work) {
      const start = now();
      try {
        return work();
      } finally {
        detectionMs += now() - start;
      }
    },
    get stats() {
      return {
        updates: Object.fromEntries(updates),
        bytes: Object.fromEntries(bytes),
        sizes: [...sizes],
        ...counts,
        ...ended,
        ...{ largestBytes, sparedChars, detectionMs },
      };
    },
  };
}

/** The metrics in a few lines for people. */
export function statsText(stats: UpdateStats): string {
  const [total, lines] = [totalOf(stats.bytes), totalOf(stats.updates)];
  const kinds = Object.entries(stats.bytes)
    .toSorted(([, left], [, right]) => right - left)
    .map(
      ([kind, bytes]) => `  ${kind}: ${counted(stats.updates[kind] ?? 0, "line")}, ${bytes} bytes`,
    );
  return [
    `${counted(lines, "line")}, ${total} bytes; the largest had ${stats.largestBytes}`,
    ...kinds,
    `${counted(stats.offered, "update")} offered, ${stats.merged} merged, ${stats.suppressed} without a change`,
    `about ${stats.sparedChars} characters of unchanged fields not sent again`,
    `${counted(stats.calls, "call")} ended, with ${counted(perCall(stats.callUpdates, stats), "line")} and ${perCall(stats.callBytes, stats)} bytes each on average`,
    `${stats.detectionMs.toFixed(1)} ms spent finding changes, ${counted(stats.failedWrites, "failed write")}`,
  ].join("\n");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function perCall(sum: number, { calls }: UpdateStats): number {
  return calls === 0 ? 0 : Math.round(sum / calls);
}
