/**
 * A node that is cut off from the database while its tool runs. Another node takes the run over when the lease
 * has ended. From then on the first one's tool does nothing more, and every call has one end.
 */

import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { parseEventLine, type RunEvent } from "@callboard/run-log";
import { startPostgres } from "../../postgres/server.js";
import { createDatabaseOn } from "../../postgres/testDatabase.js";
import { createRandom } from "../random.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { tokenFor } from "./cluster.js";
import { startLine } from "./cutLine.js";
import { startProgram } from "./program.js";
import { startRedis } from "./redis.js";

const leaseMs = 10_000;

export async function partitionCase(
  seed: number,
  rounds: number,
  tell?: Tell,
): Promise<CaseReport> {
  const random = createRandom(seed);
  const secret = randomUUID() + randomUUID();
  const server = await startPostgres();
  const redis = await startRedis();
  const { url: databaseUrl } = await createDatabaseOn(server.url);
  const line = await startLine(new URL(databaseUrl));
  const home = await mkdtemp(join(tmpdir(), "callboard-partition-"));
  const options = { home, databaseUrl, redisUrl: redis.url, secret, leaseMs };
  const cut = await startProgram("node-cli", { ...options, databaseUrl: line.url });
  const other = await startProgram("node-cli", options);
  const headers = {
    authorization: `Bearer ${tokenFor(randomUUID(), secret)}`,
    "content-type": "application/json",
  };
  const faults = new Set<string>();
  let afterTakeover = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const name = randomUUID();
      const response = await fetch(`${cut.url}/api/agent/execute`, {
        method: "POST",
        headers,
        body: JSON.stringify({ user_input: `call tick {"name":"${name}","ms":60000}\nsay done` }),
      });
      const runId = response.headers.get("x-request-id") ?? "";
      void response.body?.cancel();
      while ((await ticksOf(home, name)).length === 0) await systemClock.sleep(20);
      await systemClock.sleep(random.int(1_000));
      line.cut();
      const events = await closedLog(other.url, headers, runId);
      // The closing has the time of the last event before it: what counts is when the other node had written it.
      const closedAt = systemClock.now();
      line.mend();
      await systemClock.sleep(500);
      const late = (await ticksOf(home, name)).filter((at) => at > closedAt);
      afterTakeover += late.length;
      if (late.length > 0) faults.add(`a tool ran on after another node had closed its run`);
      const ends = events.filter(({ type }) => type === "call.closed").length;
      if (ends !== 1) faults.add(`a call has ${ends} ends`);
      if (!cut.isAlive || !other.isAlive) faults.add("a node died");
      tell?.(`${round + 1} of ${rounds} partitions`);
    }
  } finally {
    await cut.end();
    await other.end();
    await line.close();
    await redis.close();
    await server.remove();
    await rm(home, { recursive: true, force: true });
  }
  return {
    failure: faults.size === 0 ? undefined : [...faults].join("\n"),
    figures: { partitions: rounds, "work after a takeover": afterTakeover },
  };
}

async function ticksOf(home: string, name: string): Promise<readonly number[]> {
  const text = await readFile(join(home, `${name}.ticks`), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((tick) => tick !== "")
    .map(Number);
}

/** The run's log, once it is closed. */
async function closedLog(
  url: string,
  headers: Record<string, string>,
  runId: string,
): Promise<readonly RunEvent[]> {
  for (;;) {
    const response = await fetch(`${url}/api/agent/runs/${runId}/events?format=log&follow=false`, {
      headers,
    });
    const events = (await response.text()).split("\n").flatMap((text) => {
      const parsed = parseEventLine(text);
      return parsed.status === "malformed" ? [] : [parsed.event];
    });
    if (events.at(-1)?.type === "run.closed") return events;
    await systemClock.sleep(100);
  }
}
