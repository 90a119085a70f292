/**
 * Two nodes with runs, and one thing after the other that goes wrong for one of them. When it is over, every run has its
 * end, every call exactly one, and no tool ran twice. Half of the runs may continue elsewhere.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { startPostgres } from "../../postgres/server.js";
import { createDatabaseOn } from "../../postgres/testDatabase.js";
import { logFaultsOf } from "../logFaults.js";
import { createRandom } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { chaosFaults } from "./chaosFaults.js";
import { tokenFor } from "./cluster.js";
import { startLine } from "./cutLine.js";
import { type ServerProcess, startProgram } from "./program.js";
import { startRedis } from "./redis.js";

/** So short that what a silent node had is soon another's. */
const leaseMs = 3_000;
const runsARound = 4;
const patienceMs = 120_000;

export async function chaosCase(seed: number, rounds: number, tell?: Tell): Promise<CaseReport> {
  const random = createRandom(seed);
  const secret = randomUUID() + randomUUID();
  const server = await startPostgres();
  const redis = await startRedis();
  const { url: databaseUrl } = await createDatabaseOn(server.url);
  const adminUrl = new URL(server.url);
  adminUrl.pathname = new URL(databaseUrl).pathname;
  const line = await startLine(new URL(databaseUrl));
  const home = await mkdtemp(join(tmpdir(), "callboard-chaos-"));
  const options = { home, redisUrl: redis.url, secret, leaseMs };
  const startVictim = () => startProgram("node-cli", { ...options, databaseUrl: line.url });
  let victim = await startVictim();
  const other = await startProgram("node-cli", { ...options, databaseUrl });
  const headers = {
    authorization: `Bearer ${tokenFor(randomUUID(), secret)}`,
    "content-type": "application/json",
  };
  const kinds = Object.entries(chaosFaults);
  const faults = new Set<string>();
  const counted = { "nodes that ended": 0, runs: 0, "ended well": 0, "tools that ran": 0 };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const [name = "", happens] = kinds[(seed + round) % kinds.length] ?? [];
      await Promise.all([victim, other].map(({ url }) => ready(url)));
      const runs: ChaosRun[] = [];
      for (let index = 0; index < runsARound; index += 1) {
        runs.push(await beginChaosRun(victim, headers, index % 2 === 1));
      }
      await systemClock.sleep(random.int(1_200));
      await happens?.({ victim, leaseMs, server, adminUrl: adminUrl.href, line });
      if (!victim.isAlive) {
        counted["nodes that ended"] += 1;
        victim = await startVictim();
      }
      for (const run of runs) {
        const log = await closedLog(other.url, headers, run.runId);
        const ran = await timesRun(home, run.note);
        const told = log === undefined ? ["it was not closed"] : logFaultsOf(log);
        if (ran > 1) faults.add(`${name}: a tool of run ${run.runId} ran ${ran} times`);
        for (const fault of told) faults.add(`${name}: run ${run.runId}: ${fault}`);
        counted.runs += 1;
        counted["tools that ran"] += ran;
        if (log?.includes('"type":"run.closed","outcome":"ok"')) counted["ended well"] += 1;
      }
      if (!other.isAlive) throw new Error(`${name}: the other node died`);
      tell?.(`${round + 1} of ${rounds} rounds: ${name}`);
    }
  } finally {
    await victim.end();
    await other.end();
    await line.close();
    await redis.close();
    await server.remove();
    await rm(home, { recursive: true, force: true });
  }
  return {
    failure: faults.size === 0 ? undefined : [...faults].slice(0, 10).join("\n"),
    figures: { rounds, "kinds of faults": Math.min(rounds, kinds.length), ...counted },
  };
}

interface ChaosRun {
  readonly runId: string;
  /** Names the file in which its tool writes a line each time that it runs. */
  readonly note: string;
}

async function beginChaosRun(
  { url }: ServerProcess,
  headers: Record<string, string>,
  isResumable: boolean,
): Promise<ChaosRun> {
  const note = randomUUID();
  const script = [
    "say words that take their time",
    'call work {"ms":300}',
    `call note {"name":"${note}"}`,
    'call work {"ms":300}',
    "say and now the end",
  ];
  const response = await fetch(`${url}/api/agent/execute`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      user_input: script.join("\n"),
      ...(isResumable ? { prompt_id: "resumable" } : {}),
    }),
  });
  const runId = response.headers.get("x-request-id");
  if (response.status !== 200 || !runId) {
    throw new Error(`no run began: ${response.status} ${await response.text()}`);
  }
  // Whoever asked does not stay to read: the log says how it continued.
  response.body?.cancel().catch(() => undefined);
  return { runId, note };
}

async function ready(url: string): Promise<void> {
  await inTime(async () => {
    const { ok } = await fetch(`${url}/readyz`).catch(() => ({ ok: false }));
    return ok ? true : undefined;
  });
}

/** The run's log once it is closed; undefined if that took too long. */
async function closedLog(
  url: string,
  headers: Record<string, string>,
  runId: string,
): Promise<string | undefined> {
  const path = `/api/agent/runs/${runId}/events?format=log&rate=all&follow=false`;
  return await inTime(async () => {
    const response = await fetch(`${url}${path}`, { headers }).catch(() => undefined);
    const text = response?.status === 200 ? await response.text() : "";
    const lines = text.split("\n").filter((one) => one !== "" && !one.startsWith('{"event"'));
    const log = lines.map((one) => `${one}\n`).join("");
    return lines.at(-1)?.includes('"type":"run.closed"') ? log : undefined;
  });
}

async function inTime<Value>(look: () => Promise<Value | undefined>): Promise<Value | undefined> {
  const until = systemClock.monotonic() + patienceMs;
  while (systemClock.monotonic() < until) {
    const found = await look();
    if (found !== undefined) return found;
    await systemClock.sleep(200);
  }
  return undefined;
}

async function timesRun(home: string, note: string): Promise<number> {
  const text = await readFile(join(home, `${note}.note`), "utf8").catch(() => "");
  return text.split("\n").filter((one) => one !== "").length;
}
