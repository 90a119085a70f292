/**
 * Readers that are cut at random bytes and come back to either node, while the run continues and after it, in
 * every format, framing, rate and compression.
 */
import { isDeepStrictEqual } from "node:util";
import { createRandom, type Random } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { beginRun, type Cluster, startCluster } from "./cluster.js";
import { readWhole, readWithCuts } from "./cutReader.js";
import { plainly } from "./mergedLines.js";

const words = "a stream that is cut and goes on as if nothing had happened ".repeat(4);
const script = [
  `say ${words}`,
  'call work {"ms":120}',
  'call work {"ms":60}',
  `say ${words}`,
  'call work {"ms":"wrong"}',
  "say the end",
].join("\n");

const forms = [
  { format: "events", isSse: false },
  { format: "events", isSse: true },
  { format: "log", isSse: false },
  { format: "log", isSse: true },
  { format: "ui-message", isSse: true },
  { format: "ag-ui", isSse: true },
] as const;

export interface CutsOptions {
  readonly runs: number;
  /** Each run is read by so many readers, one after the other, and by more until it has its cuts. */
  readonly readersOfRun: number;
  readonly leastCutsOfRun: number;
}

export async function cutsCase(
  seed: number,
  { runs, readersOfRun, leastCutsOfRun }: CutsOptions,
  tell?: Tell,
): Promise<CaseReport> {
  const random = createRandom(seed);
  const cluster = await startCluster();
  try {
    const faults: string[] = [];
    const drawn = new Set<string>();
    let cuts = 0;
    let readers = 0;
    await Promise.all(
      Array.from({ length: runs }, async (_, index) => {
        const node = cluster.nodes[index % 2];
        if (!node) return;
        const runId = await beginRun(cluster, node, { user_input: script });
        let ofRun = 0;
        for (let reader = 0; reader < readersOfRun || ofRun < leastCutsOfRun; reader += 1) {
          const read = await cutReading(cluster, runId, random);
          ofRun += read.cuts;
          readers += 1;
          drawn.add(read.name);
          if (read.fault !== undefined) faults.push(read.fault);
        }
        cuts += ofRun;
        tell?.(`${cuts} cuts`);
      }),
    );
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: { cuts, "cut readers": readers, "forms drawn": drawn.size },
    };
  } finally {
    await cluster.close();
  }
}

async function cutReading(
  { nodes, headers }: Cluster,
  runId: string,
  random: Random,
): Promise<{ readonly cuts: number; readonly name: string; readonly fault: string | undefined }> {
  const form = { ...random.pick(forms), isGzipped: random.int(2) === 0 };
  const rate = random.pick(["30", "all"]);
  const framing = form.isSse ? "SSE" : "NDJSON";
  const name = `${form.format}, ${framing}, rate ${rate}${form.isGzipped ? ", gzip" : ""}`;
  const asked = `tool_events=both&stream_arguments=true&format=${form.format}`;
  const path = `/api/agent/runs/${runId}/events?${asked}`;
  let turn = 0;
  const { values, cuts } = await readWithCuts({
    ...form,
    headers,
    urlAfter(cursor) {
      turn += 1;
      return `${nodes[turn % nodes.length]?.url}${path}&rate=${rate}&after=${cursor}`;
    },
    // Most cuts come early; some let the longest line pass.
    nextCut: () => 1 + random.int(random.int(16) === 0 ? 4_000 : form.isGzipped ? 120 : 350),
    isEnd: isStreamEnd,
  });
  const whole = await readWhole(`${nodes[0]?.url}${path}&rate=all`, { ...form, headers });
  const isSame =
    rate === "all"
      ? isDeepStrictEqual(values, whole)
      : isDeepStrictEqual(plainly(values), plainly(whole));
  const fault = isSame ? undefined : `run ${runId} (${name}): ${values.length} lines, not the same`;
  return { cuts, name, fault };
}

const lastTypes: ReadonlySet<unknown> = new Set([
  "run.closed",
  "finish",
  "RUN_FINISHED",
  "RUN_ERROR",
]);

/** Whether a line is the last one of its run's stream. */
function isStreamEnd(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("event" in value && value.event === "end") return true;
  return "type" in value && lastTypes.has(value.type);
}
