/** Where questions are asked, killed and answered: a server that is started again, or two nodes. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
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
  /** Two addresses to answer at, once everything is back: the same one if there is one node. */
  everywhere(): Promise<readonly [string, string]>;
  close(): Promise<void>;
}

/** Longer than any pause of a busy machine: a living node never loses a run here. */
const longLeaseMs = 120_000;

/** One node with the embedded database: what was killed is started again on what it left. */
export async function startAlone(): Promise<QuestionStage> {
  const secret = randomUUID() + randomUUID();
  const home = await mkdtemp(join(tmpdir(), "callboard-questions-"));
  const start = (): Promise<ServerProcess> =>
    startProgram("node-cli", { home, secret, leaseMs: longLeaseMs });
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

/**
 * Two nodes: the other one has to find what the killed one left. The lease of the killed one is ended in the
 * database, as if its time had passed.
 */
export async function startPair(): Promise<QuestionStage> {
  const cluster = await startCluster(longLeaseMs);
  const { headers, home } = cluster;
  const client = new pg.Client({ connectionString: cluster.adminUrl });
  await client.connect();
  /** The node that was killed last, as its runs name it. */
  let dead: readonly string[] = [];
  const endLeases = (): Promise<unknown> =>
    client.query("update cx_run set lease_until = clock_timestamp() where owner = any ($1)", [
      dead,
    ]);
  let at = 0;
  const urlOf = (which: number): string => cluster.nodes[which]?.url ?? "";
  return {
    headers,
    home,
    victim: () => urlOf(at),
    async kill() {
      // Only the victim has runs: those of earlier kills have ended.
      const { rows } = await client.query<{ owner: string }>(
        "select distinct owner from cx_run where status = 'open' and owner is not null",
      );
      dead = rows.map(({ owner }) => owner);
      await cluster.kill(at);
      at = 1 - at;
      await endLeases();
    },
    async everywhere() {
      // A statement that the killed node had sent may have been executed after its end.
      await endLeases();
      if (cluster.nodes[1 - at]?.isAlive === false) await cluster.revive(1 - at);
      return [urlOf(at), urlOf(1 - at)];
    },
    async close() {
      await client.end();
      await cluster.close();
    },
  };
}
