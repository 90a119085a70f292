/**
 * Processes that outlived an agent, found by a mark in their arguments or their environment. It looks
 * in /proc, so the machine must have one. It kills only what holds the mark.
 */

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { systemCodeOf } from "@callboard/run-log/values";

const lookEveryMs = 20;
const gone: ReadonlySet<unknown> = new Set(["ENOENT", "ESRCH", "EACCES", "EPERM"]);

/** Waits until no process has the mark, or until the time is up; what is left is described, and killed. */
export async function survivorsOf(mark: string, patienceMs: number): Promise<readonly string[]> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = holdersOf(mark);
    if (found.length === 0) return [];
    if (performance.now() > end) {
      const described = found.map((pid) => `${pid} ${read(pid, "cmdline").replaceAll("\0", " ")}`);
      for (const pid of found) kill(Number(pid));
      return described;
    }
    await sleep(lookEveryMs);
  }
}

/** The ids of all that hold the mark now. */
export function holdersOf(mark: string): readonly string[] {
  return readdirSync("/proc").filter(
    (name) =>
      /^\d+$/.test(name) &&
      name !== String(process.pid) &&
      (read(name, "cmdline").includes(mark) || read(name, "environ").includes(mark)),
  );
}

/** Empty for a process that is gone or another user's. */
function read(pid: string, file: "cmdline" | "environ"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch (error) {
    if (gone.has(systemCodeOf(error) ?? "")) return "";
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!gone.has(systemCodeOf(error) ?? "")) throw error;
  }
}
