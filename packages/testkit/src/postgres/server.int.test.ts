import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { sweepOrphans } from "./orphans.js";
import { startPostgres } from "./server.js";

async function ask(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

describe("a server of one's own", () => {
  it("keeps what was committed over an immediate stop, and leaves nothing when it is removed", async () => {
    const server = await startPostgres();
    await ask(server.url, "create table kept as select 1 as one");
    await server.stop("immediate");
    await expect(ask(server.url, "select 1")).rejects.toThrow("ECONNREFUSED");
    await server.start();
    expect(await ask(server.url, "select one from kept")).toEqual([{ one: 1 }]);
    await server.remove();
    await expect(ask(server.url, "select 1")).rejects.toThrow("ECONNREFUSED");
    await server.remove();
  });
});

describe("what a killed run left behind", () => {
  async function leftBy(owner: number, server?: number): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "callboard-postgres-"));
    await writeFile(join(folder, "owner"), String(owner));
    await mkdir(join(folder, "data"));
    if (server !== undefined) await writeFile(join(folder, "data/postmaster.pid"), `${server}\n`);
    return folder;
  }

  it("is swept away, but not what lives, and no process that is not its server", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "exit");
    const bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const orphan = await leftBy(gone.pid ?? 0, bystander.pid);
    const living = await leftBy(process.pid);
    await sweepOrphans();
    expect([existsSync(orphan), existsSync(living)]).toEqual([false, true]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    await writeFile(join(living, "owner"), String(gone.pid));
    await sweepOrphans();
    expect(existsSync(living)).toBe(false);
    bystander.kill();
  });
});
