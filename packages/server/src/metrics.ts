/** Counts of what happens, as Prometheus reads them. It knows numbers, not what they are for. */
export interface Metrics {
  add(name: CounterName, labels?: Labels, by?: number): void;
  /** The text form, with gauges as they are now. */
  render(gauges: Readonly<Record<GaugeName, number>>): string;
}

type Labels = Readonly<Record<string, string>>;

const counters = {
  callboard_http_requests_total: "Requests by route and status.",
  callboard_runs_started_total: "Runs started on this node.",
  callboard_runs_closed_total: "Runs that ended on this node, by outcome.",
  callboard_runs_taken_over_total: "Orphaned runs that this node closed or resumed.",
  callboard_streams_opened_total: "Streams that were opened, by format.",
  callboard_streams_resumed_total: "Streams that resumed from a cursor.",
  callboard_streams_cut_total: "Readers that were cut, by reason.",
  callboard_webhooks_total: "Webhooks that were tried, by event and result.",
  callboard_stream_bytes_total: "Bytes written to streams before compression.",
} as const;

const gauges = {
  callboard_runs_open: "Runs that are under way on this node.",
  callboard_streams_open: "Streams that are open.",
  callboard_channels_open: "Runs and forms that are followed for readers.",
  process_resident_memory_bytes: "Resident memory.",
  process_cpu_seconds_total: "User and system CPU time.",
} as const;

export type CounterName = keyof typeof counters;
export type GaugeName = keyof typeof gauges;

export function createMetrics(): Metrics {
  const counts = new Map<CounterName, Map<string, number>>();
  return {
    add(name, labels = {}, by = 1) {
      const series = counts.get(name) ?? new Map<string, number>();
      counts.set(name, series);
      const key = labelText(labels);
      series.set(key, (series.get(key) ?? 0) + by);
    },
    render(values) {
      const lines: string[] = [];
      for (const [name, help] of entriesOf(counters)) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
        const series = counts.get(name) ?? new Map([["", 0]]);
        for (const [labels, count] of series) lines.push(`${name}${labels} ${count}`);
      }
      for (const [name, help] of entriesOf(gauges)) {
        const type = name.endsWith("_total") ? "counter" : "gauge";
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${values[name]}`);
      }
      return `${lines.join("\n")}\n`;
    },
  };
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapedMetricLabel(value)}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapedMetricLabel(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

function entriesOf<Name extends string>(table: Readonly<Record<Name, string>>): [Name, string][] {
  const names: Name[] = [];
  for (const name in table) names.push(name);
  return names.map((name) => [name, table[name]]);
}
