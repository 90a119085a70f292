/** Where questions are asked, killed and answered: a server that is started again, or two nodes. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster, tokenFor } from "./cluster.js";
import { type ServerProcess, startProgram } from "./program.js";

export interface QuestionStage {
  readonly headers: Readonly<Record<string, string>>;
  /** The tool `pay` writes there. */
  readonly home: string;
  /** The address of the node that is to be killed next. */
  victim(): string;
  /** Kills it without warning; resolves when the run can be asked for elsewhere, or again. */
  kill(): Promise<void>;
  /** Two addresses to answer at, once everything is back: the same one where there is one node. */
  everywhere(): Promise<readonly [string, string]>;
  close(): Promise<void>;
}

/** One node with the embedded database: what was killed is started again on what it left. */
export async function startAlone(): Promise<QuestionStage> {
  const secret = randomUUID() + randomUUID();
  const home = await mkdtemp(join(tmpdir(), "callboard-questions-"));
  const start = (): Promise<ServerProcess> =>
    startProgram("node-cli", { home, secret, leaseMs: 1_500 });
  let node = await start();
  return {
    headers: {
      authorization: `Bearer ${tokenFor(randomUUID(), secret)}`,
      "content-type": "application/json",
    },
    home,
    victim: () => node.url,
    async kill() {
      await node.kill();
      node = await start();
    },
    everywhere: async () => [node.url, node.url],
    async close() {
      await node.end();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Two nodes: the other one has to find what the killed one left. */
export async function startPair(): Promise<QuestionStage> {
  const cluster = await startCluster();
  const { headers, home } = cluster;
  let at = 0;
  const urlOf = (which: number): string => cluster.nodes[which]?.url ?? "";
  return {
    headers,
    home,
    victim: () => urlOf(at),
    async kill() {
      await cluster.kill(at);
      at = 1 - at;
    },
    async everywhere() {
      if (cluster.nodes[1 - at]?.isAlive === false) await cluster.revive(1 - at);
      return [urlOf(at), urlOf(1 - at)];
    },
    close: () => cluster.close(),
  };
}
