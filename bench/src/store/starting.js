/** Opening an embedded database for the first time and again, each in a fresh process. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./open-cli.js", import.meta.url));

/**
 * Milliseconds, and megabytes of memory afterwards.
 *
 * @typedef {{ name: string, time: number, memory: number }} Start
 */

/** @returns {Promise<Start[]>} */
export async function startsMeasured() {
  const folder = await mkdtemp(join(tmpdir(), "callboard-bench-"));
  try {
    return [
      { name: "first start", ...opened(folder) },
      { name: "second start", ...opened(folder) },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {string} folder
 * @returns {{ time: number, memory: number }}
 */
function opened(folder) {
  return JSON.parse(execFileSync(process.execPath, [program, folder], { encoding: "utf8" }));
}
