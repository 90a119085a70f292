/**
 * A test run that is killed cannot stop its server. The next one does: a server's folder names the
 * process that it belongs to, and the servers of processes that are gone are stopped and deleted.
 */

import { spawnSync } from "node:child_process";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";

const prefix = "callboard-postgres-";

export async function leaveOwner(folder: string): Promise<void> {
  await writeFile(join(folder, "owner"), String(process.pid));
}

export async function sweepOrphans(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue;
    const folder = join(tmpdir(), name);
    if (!(await isOurs(folder))) continue;
    const owner = await numberIn(join(folder, "owner"));
    if (owner === undefined || isAlive(owner)) continue;
    const server = await numberIn(join(folder, "data/postmaster.pid"));
    if (server !== undefined && isServerOf(server, folder)) process.kill(server, "SIGQUIT");
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Root's servers run as another user, and root may delete them; other users delete only their own. */
async function isOurs(folder: string): Promise<boolean> {
  const uid = process.getuid?.();
  return uid === undefined || uid === 0 || (await stat(folder)).uid === uid;
}

/** The number at the start of a file; nothing if there is none, or it is not ours to read. */
async function numberIn(path: string): Promise<number | undefined> {
  try {
    const number = Number.parseInt(await readFile(path, "utf8"), 10);
    return Number.isNaN(number) ? undefined : number;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "EACCES") return undefined;
    throw error;
  }
}

/** Numbers are used again: only a process that was started on the folder is its server. */
function isServerOf(pid: number, folder: string): boolean {
  const { stdout } = spawnSync("ps", ["-p", String(pid), "-o", "args="], { encoding: "utf8" });
  return stdout?.includes(join(folder, "data")) === true;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCodeOf(error) === "EPERM";
  }
}
