/**
 * Nodes that die under load, half of the readers of their runs connected to them and half to the other one:
 * the readers come back where they must and see every event once, each call has its end, and what can continue
 * continues.
 */
import { isDeepStrictEqual } from "node:util";
import { systemClock } from "@callboard/agent-sdk";
import { logFaultsOf } from "../logFaults.js";
import { createRandom, type Random } from "../random.js";
import type { CaseReport } from "../torturePart.js";
import { beginRun, type Cluster, startCluster, textFrom } from "./cluster.js";
import type { ServerProcess } from "./program.js";

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
  let cameBack = 0;
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const victim = kill % 2;
      const round = await killedRound(cluster, victim, random);
      faults.push(...round.faults);
      goneOn += round.goneOn;
      cameBack += round.cameBack;
      await cluster.revive(victim);
    }
  } finally {
    await cluster.close();
  }
  return {
    failure: faults.length === 0 ? undefined : faults.join("\n"),
    figures: {
      "node kills": kills,
      "runs of killed nodes": kills * runsAKill,
      "gone on": goneOn,
      "readers cut by a kill": cameBack,
    },
  };
}

async function killedRound(
  cluster: Cluster,
  victim: number,
  random: Random,
): Promise<{
  readonly faults: readonly string[];
  readonly goneOn: number;
  readonly cameBack: number;
}> {
  const dying = cluster.nodes[victim];
  const living = cluster.nodes[1 - victim];
  if (!dying || !living) throw new Error("there are two nodes");
  const runIds = await Promise.all(
    Array.from({ length: runsAKill }, (_, index) =>
      beginRun(cluster, dying, {
        user_input: script,
        ...(index % 2 === 0 ? {} : { prompt_id: "resumable" }),
      }),
    ),
  );
  const pathOf = (runId: string): string =>
    `${living.url}/api/agent/runs/${runId}/events?format=log`;
  // The first half are on the node that is killed, one of them on a run that continues elsewhere.
  const reading = runIds.map((runId, index) =>
    index < runsAKill / 2
      ? readThrough(cluster, [dying, living], runId)
      : readThrough(cluster, [living], runId),
  );
  await systemClock.sleep(random.int(1_200));
  await cluster.kill(victim);
  const live = await Promise.all(reading);
  const faults: string[] = [];
  let goneOn = 0;
  for (const [index, runId] of runIds.entries()) {
    const stored = await textFrom(cluster, `${pathOf(runId)}&rate=all`);
    if (!isDeepStrictEqual(live[index]?.events, eventsIn(stored))) {
      faults.push(`run ${runId} was told otherwise than it is stored`);
    }
    faults.push(...logFaultsOf(stored));
    const isOk = stored.includes('"type":"run.closed","outcome":"ok"');
    if (isOk) goneOn += 1;
    if (index % 2 === 1 && !isOk) faults.push(`run ${runId} was to go on and did not end well`);
  }
  const cameBack = live.filter(({ cuts }) => cuts > 0).length;
  return { faults, goneOn, cameBack };
}

interface Reading {
  readonly events: readonly unknown[];
  readonly cuts: number;
}

/** Reads a run to its end, on the first node until that is gone, then from its cursor on the next one. */
async function readThrough(
  { headers }: Cluster,
  nodes: readonly ServerProcess[],
  runId: string,
): Promise<Reading> {
  let text = "";
  for (const [cuts, { url }] of nodes.entries()) {
    const seqs = [...text.matchAll(/"seq":(\d+)/g)];
    const path = `/api/agent/runs/${runId}/events?format=log&rate=all&after=${seqs.at(-1)?.[1] ?? 0}`;
    text += await linesUntilCut(`${url}${path}`, headers);
    if (text.includes('"type":"run.closed"')) return { events: eventsIn(text), cuts };
  }
  return { events: eventsIn(text), cuts: nodes.length };
}

/** The complete lines until the stream ends, however it ends. */
async function linesUntilCut(url: string, headers: Cluster["headers"]): Promise<string> {
  let text = "";
  try {
    const response = await fetch(url, { headers });
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
  } catch (error) {
    // Cut by the kill: the caller comes back with its cursor.
    if (!(error instanceof TypeError)) throw error;
  }
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

/** The events of a log's lines; heartbeats of the stream are none. */
function eventsIn(text: string): readonly unknown[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.filter((line) => !line.startsWith('{"event"')).map((line) => JSON.parse(line));
}
