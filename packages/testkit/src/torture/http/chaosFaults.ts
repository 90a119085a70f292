/**
 * What goes wrong for one of two nodes while it has runs: it is killed, restarted, frozen or cut off; the database or
 * Redis goes away, its disk is full; the node has no descriptors or no memory left; its clock jumps.
 */
import { spawnSync } from "node:child_process";
import { systemClock } from "@callboard/agent-sdk";
import pg from "pg";
import type { PostgresServer } from "../../postgres/server.js";
import type { Line } from "./cutLine.js";
import type { ServerProcess } from "./program.js";

export interface ChaosStage {
  /** The node that it happens to. It is started again where it ends. */
  readonly victim: ServerProcess;
  readonly leaseMs: number;
  readonly server: PostgresServer;
  /** Of a superuser, in the database of the nodes. */
  readonly adminUrl: string;
  /** The victim's way to the database. */
  readonly line: Line;
}

type Fault = (stage: ChaosStage) => Promise<void>;

export const chaosFaults: Readonly<Record<string, Fault>> = {
  kill: ({ victim }) => victim.kill(),
  restart: ({ victim }) => victim.end(),
  async freeze({ victim, leaseMs }) {
    process.kill(victim.pid, "SIGSTOP");
    await systemClock.sleep(2 * leaseMs);
    process.kill(victim.pid, "SIGCONT");
  },
  async partition({ line, leaseMs }) {
    line.cut();
    await systemClock.sleep(2 * leaseMs);
    line.mend();
  },
  async "database restart"({ server }) {
    await server.stop("immediate");
    await systemClock.sleep(500);
    await server.start();
  },
  async "disk full"({ adminUrl }) {
    await execute(adminUrl, fillDisk);
    await systemClock.sleep(1_500);
    await execute(adminUrl, freeDisk);
  },
  async descriptors({ victim }) {
    const limit = (count: string): void => {
      spawnSync("prlimit", ["--pid", String(victim.pid), `--nofile=${count}:`]);
    };
    limit("24");
    await systemClock.sleep(1_500);
    limit("4096");
  },
  /** V8 ends the process at the first page that it does not get; a process that asks for none lives on. */
  async memory({ victim }) {
    const limit = (bytes: string): void => {
      spawnSync("prlimit", ["--pid", String(victim.pid), `--as=${bytes}:`]);
    };
    limit("1048576");
    await systemClock.sleep(1_500);
    limit("unlimited");
    // A process that is about to end no longer answers. The next round needs to know which of the two it is.
    const answers = await fetch(`${victim.url}/healthz`, {
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    if (answers === undefined) await victim.kill();
  },
  async "clock back and on"({ victim }) {
    process.kill(victim.pid, "SIGUSR2");
    await systemClock.sleep(1_500);
    process.kill(victim.pid, "SIGUSR2");
  },
};

/** What PostgreSQL says where a file cannot grow, from the table that every commit writes. */
const fillDisk = `
  create function chaos_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$;
  create trigger chaos_full before insert on cx_run_event for each statement execute function chaos_full();
`;
const freeDisk = "drop function chaos_full() cascade";

async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
