/**
 * Nodes that die under load while readers of their runs are connected to the other one: the readers see
 * every event, each call has its end, and what can go on goes on.
 */
import { isDeepStrictEqual } from "node:util";
import { systemClock } from "@callboard/agent-sdk";
import { logFaultsOf } from "../logFaults.js";
import { createRandom, type Random } from "../random.js";
import type { CaseReport } from "../torturePart.js";
import { begun, type Cluster, startCluster, textFrom } from "./cluster.js";

const runsAKill = 4;
const script = [
  `say ${"words that take their time ".repeat(6)}`,
  'call work {"ms":600}',
  'call work {"ms":900}',
  "say and now the end",
].join("\n");

export async function killCase(seed: number, kills: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const cluster = await startCluster();
  const faults: string[] = [];
  let goneOn = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = kill % 2;
      const round = await killedRound(cluster, victim, random);
      faults.push(...round.faults);
      goneOn += round.goneOn;
      await cluster.revive(victim);
    }
  } finally {
    await cluster.close();
  }
  return {
    failure: faults.length === 0 ? undefined : faults.join("\n"),
    figures: { "node kills": kills, "runs of killed nodes": kills * runsAKill, "gone on": goneOn },
  };
}

async function killedRound(
  cluster: Cluster,
  victim: number,
  random: Random,
): Promise<{ readonly faults: readonly string[]; readonly goneOn: number }> {
  const dying = cluster.nodes[victim];
  const living = cluster.nodes[1 - victim];
  if (!dying || !living) throw new Error("there are two nodes");
  const runIds = await Promise.all(
    Array.from({ length: runsAKill }, (_, index) =>
      begun(cluster, dying, {
        user_input: script,
        ...(index % 2 === 0 ? {} : { prompt_id: "resumable" }),
      }),
    ),
  );
  const pathOf = (runId: string): string =>
    `${living.url}/api/agent/runs/${runId}/events?format=log`;
  const reading = runIds.map((runId) => textFrom(cluster, `${pathOf(runId)}&rate=all`));
  await systemClock.sleep(random.int(1_200));
  await cluster.kill(victim);
  const live = await Promise.all(reading);
  const faults: string[] = [];
  let goneOn = 0;
  for (const [index, runId] of runIds.entries()) {
    const stored = await textFrom(cluster, `${pathOf(runId)}&rate=all`);
    if (!isDeepStrictEqual(eventsIn(live[index] ?? ""), eventsIn(stored))) {
      faults.push(`run ${runId} was told otherwise than it is stored`);
    }
    faults.push(...logFaultsOf(stored));
    const isOk = stored.includes('"type":"run.closed","outcome":"ok"');
    if (isOk) goneOn += 1;
    if (index % 2 === 1 && !isOk) faults.push(`run ${runId} was to go on and did not end well`);
  }
  return { faults, goneOn };
}

/** The events of a log's lines; heartbeats of the stream are none. */
function eventsIn(text: string): readonly unknown[] {
  const lines = text.trimEnd().split("\n");
  return lines.filter((line) => !line.startsWith('{"event"')).map((line) => JSON.parse(line));
}
