/**
 * Many parked runs on one PostgreSQL, and a node that starts beside them: it holds nothing of them and asks the
 * database no more often than a node beside none. What it asks is its sweep.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import pg from "pg";
import { z } from "zod";
import { startPostgres } from "../../postgres/server.js";
import { createDatabaseOn } from "../../postgres/testDatabase.js";
import type { CaseReport, Tell } from "../torturePart.js";
import { tokenFor } from "./cluster.js";
import { type ServerProcess, startProgram } from "./program.js";

const atOnce = 8;
const quietMs = 20_000;
/** PostgreSQL counts a transaction within a second of its end. */
const countedMs = 2_000;
const mostGrowthMb = 2;
/** Beside chance: a renewal or a readiness check more in the one window than in the other. */
const mostMoreTransactions = 5;

export async function parkedCase(runs: number, tell?: Tell): Promise<CaseReport> {
  const secret = randomUUID() + randomUUID();
  const server = await startPostgres();
  const { url: databaseUrl, adminUrl } = await createDatabaseOn(server.url);
  const client = new pg.Client({ connectionString: adminUrl });
  const home = await mkdtemp(join(tmpdir(), "callboard-parked-"));
  const start = (): Promise<ServerProcess> =>
    startProgram("node-cli", { home, databaseUrl, secret, leaseMs: 30_000 }, ["--expose-gc"]);
  try {
    await client.connect();
    // Its passes over the tables would count as transactions that no node asked for.
    await client.query("alter system set autovacuum = off");
    await client.query("select pg_reload_conf()");
    const before = await restingNode(start, client);
    tell?.(`${before.transactions} transactions in ${quietMs / 1_000} s beside no run`);
    const node = await start();
    await parkMany(node, tokenFor(randomUUID(), secret), runs, tell);
    await untilParked(client, runs);
    await node.end();
    const after = await restingNode(start, client);
    const growthMb = Math.max(0, Math.ceil(after.heldMb - before.heldMb));
    const more = Math.max(0, after.transactions - before.transactions);
    const faults = [
      ...(growthMb <= mostGrowthMb ? [] : [`a node beside them took ${growthMb} MB more`]),
      ...(more <= mostMoreTransactions
        ? []
        : [`a node beside them asked ${more} times more often`]),
    ];
    return {
      failure: faults.length === 0 ? undefined : faults.join("\n"),
      figures: {
        "parked runs": runs,
        "transactions of a node beside none": before.transactions,
        "beside them": after.transactions,
        "MB more": growthMb,
      },
    };
  } finally {
    await client.end();
    await server.remove();
    await rm(home, { recursive: true, force: true });
  }
}

interface Rest {
  readonly transactions: number;
  readonly heldMb: number;
}

/** The queries and the memory of a node that has just started and receives no requests. */
async function restingNode(start: () => Promise<ServerProcess>, client: pg.Client): Promise<Rest> {
  const node = await start();
  try {
    await systemClock.sleep(countedMs);
    const first = await transactionsIn(client);
    await systemClock.sleep(quietMs);
    const last = await transactionsIn(client);
    return { transactions: last - first, heldMb: await heldMbOf(node) };
  } finally {
    await node.end();
  }
}

async function transactionsIn(client: pg.Client): Promise<number> {
  await client.query("select pg_stat_clear_snapshot()");
  const { rows } = await client.query<{ count: string }>(
    "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
  );
  return Number(rows[0]?.count ?? 0);
}

const heldSchema = z.object({ heldBytes: z.number() });

/** Without garbage: what a process has of the machine's memory depends on when it last collected it. */
async function heldMbOf(node: ServerProcess): Promise<number> {
  const { heldBytes } = heldSchema.parse(JSON.parse(await node.ask("memory")));
  return heldBytes / 1_048_576;
}

async function parkMany(
  { url }: ServerProcess,
  token: string,
  runs: number,
  tell: Tell | undefined,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < runs) {
      begun += 1;
      if (begun % 1_000 === 0) tell?.(`${begun} of ${runs} runs begun`);
      const response = await fetch(`${url}/api/chat`, {
        method: "POST",
        headers,
        body: JSON.stringify(chatOf(`call pay {"name":"${randomUUID()}"}\nsay over`)),
      });
      // The stream of a chat ends where its run is parked.
      const text = await response.text();
      if (response.status !== 200) throw new Error(`no run began: ${response.status} ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

function chatOf(text: string): object {
  const message = { id: randomUUID(), role: "user", parts: [{ type: "text", text }] };
  return { id: randomUUID(), messages: [message], trigger: "submit-message" };
}

async function untilParked(client: pg.Client, runs: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ count: string }>(
      "select count(*) from cx_run where parked_at is not null",
    );
    if (Number(rows[0]?.count) === runs) return;
    await systemClock.sleep(100);
  }
}
