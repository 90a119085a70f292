/** The metrics of updates as plain numbers: they are written to files, read again and summed. */
import * as z from "zod/mini";

const figure = z.number().check(z.nonnegative());
const byKind = z.readonly(z.record(z.string(), figure));

export const updateStatsSchema = z.object({
  /** Lines written, by the kind of their update. */
  updates: byKind,
  bytes: byKind,
  /** Lines by size: up to 256 bytes, 1 KB, 4 KB, 16 KB, 64 KB, and beyond. */
  sizes: z.readonly(z.array(figure)),
  largestBytes: figure,
  /** Updates that were offered. */
  offered: figure,
  /** Of these, how many joined one that waited already. */
  merged: figure,
  /** Of these, how many changed nothing or came after the end of their call. */
  suppressed: figure,
  /** About how many characters of unchanged fields were not sent again. */
  sparedChars: figure,
  failedWrites: figure,
  /** Calls that ended, what was written about them, and the most that one of them took. */
  calls: z._default(figure, 0),
  callUpdates: z._default(figure, 0),
  callBytes: z._default(figure, 0),
  largestCallBytes: z._default(figure, 0),
  /** Time spent finding out what changed. */
  detectionMs: figure,
});

export type UpdateStats = Readonly<z.infer<typeof updateStatsSchema>>;

export const sizeBuckets = [256, 1_024, 4_096, 16_384, 65_536] as const;

export const noStats: UpdateStats = {
  ...{ updates: {}, bytes: {}, sizes: [...sizeBuckets, 0].map(() => 0), largestBytes: 0 },
  ...{ offered: 0, merged: 0, suppressed: 0, sparedChars: 0, failedWrites: 0, detectionMs: 0 },
  ...{ calls: 0, callUpdates: 0, callBytes: 0, largestCallBytes: 0 },
};

export function addedStats(left: UpdateStats, right: UpdateStats): UpdateStats {
  return {
    updates: addedKinds(left.updates, right.updates),
    bytes: addedKinds(left.bytes, right.bytes),
    sizes: noStats.sizes.map((_, index) => (left.sizes[index] ?? 0) + (right.sizes[index] ?? 0)),
    largestBytes: Math.max(left.largestBytes, right.largestBytes),
    offered: left.offered + right.offered,
    merged: left.merged + right.merged,
    suppressed: left.suppressed + right.suppressed,
    sparedChars: left.sparedChars + right.sparedChars,
    failedWrites: left.failedWrites + right.failedWrites,
    calls: left.calls + right.calls,
    callUpdates: left.callUpdates + right.callUpdates,
    callBytes: left.callBytes + right.callBytes,
    largestCallBytes: Math.max(left.largestCallBytes, right.largestCallBytes),
    detectionMs: left.detectionMs + right.detectionMs,
  };
}

type Kinds = UpdateStats["updates"];

function addedKinds(left: Kinds, right: Kinds): Kinds {
  const sums = new Map(Object.entries(left));
  for (const [kind, value] of Object.entries(right)) sums.set(kind, (sums.get(kind) ?? 0) + value);
  return Object.fromEntries(sums);
}

export function totalOf(values: Kinds): number {
  return Object.values(values).reduce((sum, value) => sum + value, 0);
}
