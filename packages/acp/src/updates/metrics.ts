/**
 * What the updates cost and what they spared, counted as they pass. Plain numbers: a program prints
 * them, a server shows them to Prometheus. It measures no time by itself; it is told.
 */

export interface UpdateStats {
  /** Lines written, by the kind of their update. */
  readonly updates: Readonly<Record<string, number>>;
  readonly bytes: Readonly<Record<string, number>>;
  /** Lines by size: up to 256 bytes, 1 KB, 4 KB, 16 KB, 64 KB, and beyond. */
  readonly sizes: readonly number[];
  readonly largestBytes: number;
  /** Updates that were offered. */
  readonly offered: number;
  /** Of these, how many joined one that waited already. */
  readonly merged: number;
  /** Of these, how many changed nothing or came after the end of their call. */
  readonly suppressed: number;
  /** About how many characters of unchanged fields were not sent again. */
  readonly sparedChars: number;
  readonly failedWrites: number;
  /** Time spent finding out what changed. */
  readonly detectionMs: number;
}

export interface UpdateMetrics {
  sent(kind: string, bytes: number): void;
  count(what: "offered" | "merged" | "suppressed" | "failedWrites"): void;
  spare(chars: number): void;
  /** Runs the work and adds its time to `detectionMs`. */
  detect<Value>(work: () => Value): Value;
  readonly stats: UpdateStats;
}

export const sizeBuckets = [256, 1_024, 4_096, 16_384, 65_536] as const;

/** `now` gives milliseconds of any origin, with fractions. */
export function createUpdateMetrics(now: () => number): UpdateMetrics {
  const updates = new Map<string, number>();
  const bytes = new Map<string, number>();
  const sizes = [...sizeBuckets, 0].map(() => 0);
  const counts = { offered: 0, merged: 0, suppressed: 0, failedWrites: 0 };
  let largestBytes = 0;
  let sparedChars = 0;
  let detectionMs = 0;
  return {
    sent(kind, size) {
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
        ...{ largestBytes, sparedChars, detectionMs },
      };
    },
  };
}

/** The figures as Prometheus reads them. */
export function prometheusText(stats: UpdateStats): string {
  const byKind = (name: string, values: Readonly<Record<string, number>>): readonly string[] =>
    Object.entries(values).map(([kind, value]) => `${name}{kind="${kind}"} ${value}`);
  const counters: readonly [string, string, readonly string[]][] = [
    ["updates_total", "Lines written.", byKind("callboard_acp_updates_total", stats.updates)],
    ["bytes_total", "Bytes written.", byKind("callboard_acp_bytes_total", stats.bytes)],
    ["offered_total", "Updates offered.", [`callboard_acp_offered_total ${stats.offered}`]],
    ["merged_total", "Updates merged.", [`callboard_acp_merged_total ${stats.merged}`]],
    [
      "suppressed_total",
      "Updates that said nothing new.",
      [`callboard_acp_suppressed_total ${stats.suppressed}`],
    ],
    [
      "spared_chars_total",
      "Characters of unchanged fields not sent.",
      [`callboard_acp_spared_chars_total ${stats.sparedChars}`],
    ],
    [
      "failed_writes_total",
      "Writes that failed.",
      [`callboard_acp_failed_writes_total ${stats.failedWrites}`],
    ],
    [
      "detection_seconds_total",
      "Time spent finding changes.",
      [`callboard_acp_detection_seconds_total ${stats.detectionMs / 1000}`],
    ],
  ];
  return counters
    .map(([name, help, lines]) =>
      [`# HELP callboard_acp_${name} ${help}`, `# TYPE callboard_acp_${name} counter`, ...lines]
        .join("\n")
        .concat("\n"),
    )
    .join("");
}

/** The figures in a few lines that people read. */
export function statsText(stats: UpdateStats): string {
  const total = Object.values(stats.bytes).reduce((sum, bytes) => sum + bytes, 0);
  const lines = Object.values(stats.updates).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(stats.bytes)
    .toSorted(([, left], [, right]) => right - left)
    .map(([kind, bytes]) => `  ${kind}: ${stats.updates[kind] ?? 0} lines, ${bytes} bytes`);
  return [
    `${lines} lines, ${total} bytes; the largest had ${stats.largestBytes}`,
    ...kinds,
    `${stats.offered} updates offered, ${stats.merged} merged, ${stats.suppressed} said nothing new`,
    `about ${stats.sparedChars} characters of unchanged fields not sent again`,
    `${stats.detectionMs.toFixed(1)} ms spent finding changes, ${stats.failedWrites} failed writes`,
  ].join("\n");
}
