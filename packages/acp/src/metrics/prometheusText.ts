/** The metrics in Prometheus form: counters by kind, and the sizes of lines as a histogram. */
import { sizeBuckets, totalOf, type UpdateStats } from "../updates/updateStats.js";

type Sample = readonly [labels: string, value: number];

export function prometheusText(stats: UpdateStats): string {
  const seconds = stats.detectionMs / 1000;
  return [
    metric("updates_total", "counter", "Lines written, by kind.", kindSamples(stats.updates)),
    metric("bytes_total", "counter", "Bytes written, by kind.", kindSamples(stats.bytes)),
    metric(
      "saved_bytes_total",
      "counter",
      "About how much of unchanged fields was not sent again.",
      [["", stats.sparedChars]],
    ),
    metric("offered_total", "counter", "Updates offered.", [["", stats.offered]]),
    metric("merged_total", "counter", "Updates that joined one that waited.", [["", stats.merged]]),
    metric("suppressed_total", "counter", "Updates without a change.", [["", stats.suppressed]]),
    metric("calls_total", "counter", "Calls that ended.", [["", stats.calls]]),
    metric("call_updates_total", "counter", "Lines about calls that ended.", [
      ["", stats.callUpdates],
    ]),
    metric("call_bytes_total", "counter", "Bytes about calls that ended.", [["", stats.callBytes]]),
    metric("call_largest_bytes", "gauge", "The most bytes about one call.", [
      ["", stats.largestCallBytes],
    ]),
    metric("failed_writes_total", "counter", "Writes that failed.", [["", stats.failedWrites]]),
    metric("detection_seconds_total", "counter", "Time spent finding changes.", [["", seconds]]),
    sizeHistogram(stats),
    metric("payload_largest_bytes", "gauge", "The largest line.", [["", stats.largestBytes]]),
  ].join("");
}

export function metric(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: readonly Sample[],
): string {
  return block(
    name,
    type,
    help,
    samples.map(([labels, value]) => [`${name}${labels}`, value]),
  );
}

function block(
  name: string,
  type: "counter" | "gauge" | "histogram",
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([sample, value]) => `callboard_acp_${sample} ${value}\n`);
  const head = `# HELP callboard_acp_${name} ${help}\n# TYPE callboard_acp_${name} ${type}\n`;
  return head + lines.join("");
}

function sizeHistogram({ sizes, bytes }: UpdateStats): string {
  const name = "payload_bytes";
  let count = 0;
  const buckets = [...sizeBuckets, "+Inf"].map((limit, index): Sample => {
    count += sizes[index] ?? 0;
    return [`${name}_bucket{le="${limit}"}`, count];
  });
  return block(name, "histogram", "Lines by their size.", [
    ...buckets,
    [`${name}_sum`, totalOf(bytes)],
    [`${name}_count`, count],
  ]);
}

function kindSamples(values: UpdateStats["updates"]): readonly Sample[] {
  return Object.entries(values).map(([kind, value]) => [`{kind="${escapedLabel(kind)}"}`, value]);
}

function escapedLabel(label: string): string {
  return label.replaceAll(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
