/**
 * Whether the system ran out of memory while a command was running. Linux counts the processes that it ended for that;
 * other systems do not report it, and nothing is concluded there.
 */
import { readFile } from "node:fs/promises";
import { systemCodeOf } from "@callboard/run-log/values";

const countsPath = "/proc/vmstat";

/** How many processes the system has ended for lack of memory so far; undefined if it does not report it. */
export async function countOutOfMemoryKills(path = countsPath): Promise<number | undefined> {
  try {
    const count = /^oom_kill (\d+)$/m.exec(await readFile(path, "utf8"))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch (error) {
    // There is no such file, or this process may not read it.
    if (systemCodeOf(error) !== undefined) return undefined;
    throw error;
  }
}
