/** Readers that are cut at random bytes and come back to either node, while the run goes on and after it. */
import { createRandom } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { begun, type Cluster, startCluster, textFrom } from "./cluster.js";
import { isEnd, readWithCuts } from "./cutReader.js";

const readersOfRun = 3;
const words = "a stream that is cut and goes on as if nothing had happened ".repeat(4);
const script = [
  `say ${words}`,
  'call work {"ms":120}',
  'call work {"ms":60}',
  `say ${words}`,
  'call work {"ms":"wrong"}',
  "say the end",
].join("\n");

export async function cutsCase(seed: number, runs: number, tell?: Tell): Promise<CaseReport> {
  const random = createRandom(seed);
  const cluster = await startCluster();
  try {
    const faults: string[] = [];
    let cuts = 0;
    await Promise.all(
      Array.from({ length: runs }, async (_, index) => {
        const node = cluster.nodes[index % 2];
        if (!node) return;
        const runId = await begun(cluster, node, { user_input: script });
        for (let reader = 0; reader < readersOfRun; reader += 1) {
          const read = await cutReading(cluster, runId, () => 1 + random.int(700));
          cuts += read.cuts;
          if (read.fault !== undefined) faults.push(read.fault);
        }
        tell?.(`${cuts} cuts`);
      }),
    );
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: { cuts, "cut readers": runs * readersOfRun },
    };
  } finally {
    await cluster.close();
  }
}

async function cutReading(
  cluster: Cluster,
  runId: string,
  nextCut: () => number,
): Promise<{ readonly cuts: number; readonly fault: string | undefined }> {
  const { nodes, headers } = cluster;
  let turn = 0;
  const path = `/api/agent/runs/${runId}/events?rate=all&tool_events=both&stream_arguments=true`;
  const { values, cuts } = await readWithCuts({
    urlAfter(cursor) {
      turn += 1;
      return `${nodes[turn % nodes.length]?.url}${path}&after=${cursor}`;
    },
    headers,
    nextCut,
    isEnd,
  });
  const whole = await textFrom(cluster, `${nodes[0]?.url}${path}`);
  const told = values.map((value) => `${JSON.stringify(value)}\n`).join("");
  const fault =
    told === whole ? undefined : `run ${runId}: ${told.length} of ${whole.length} bytes`;
  return { cuts, fault };
}
