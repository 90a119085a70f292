/** Start-up by the clock, and memory while nothing happens, each of a process of its own. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const home = mkdtempSync(join(tmpdir(), "callboard-bench-home-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", SHELL: "/bin/sh" };

/**
 * Milliseconds of the fastest of several runs; undefined if it fails.
 *
 * @param {readonly string[]} command
 * @param {number} runs
 */
export function fastest(command, runs) {
  const [program = "", ...args] = command;
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const begun = performance.now();
    const { status } = spawnSync(program, args, {
      env,
      cwd: home,
      stdio: "ignore",
      timeout: 60_000,
    });
    if (status !== 0) return undefined;
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}

const LOOK_MS = 500;
const QUIET_LOOKS = 4;
const LONGEST_MS = 30_000;

/**
 * Megabytes of the program and everything it started, once it sits at its first screen in a pseudo
 * terminal and uses no more than a tenth of a core, or after half a minute where it never comes to rest.
 *
 * @param {readonly string[]} command
 * @returns {Promise<{ size: number, isAtRest: boolean }>}
 */
export async function idleMemory(command) {
  const line = `stty rows 24 cols 80; exec ${command.map((word) => `'${word}'`).join(" ")}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env,
    cwd: home,
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  try {
    let quiet = 0;
    let size = 0;
    let before = Number.NaN;
    for (let waited = 0; waited < LONGEST_MS; waited += LOOK_MS) {
      await sleep(LOOK_MS);
      const family = familyOf(child.pid ?? 0);
      const ticks = family.reduce((sum, pid) => sum + ticksOf(pid), 0);
      // A tick is a hundredth of a second.
      quiet = ticks > 0 && ticks - before <= LOOK_MS / 100 ? quiet + 1 : 0;
      before = ticks;
      size = family.reduce((sum, pid) => sum + residentOf(pid), 0);
      if (quiet >= QUIET_LOOKS) return { size, isAtRest: true };
    }
    return { size, isAtRest: false };
  } finally {
    for (const pid of familyOf(child.pid ?? 0)) kill(pid);
    if (child.pid !== undefined) kill(child.pid);
  }
}

/**
 * Everything below a process, without the process itself.
 *
 * @param {number} root
 * @returns {number[]}
 */
function familyOf(root) {
  const parents = new Map(
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), Number(statOf(Number(name))[1] ?? 0)]),
  );
  const found = [root];
  for (const pid of found) {
    for (const [child, parent] of parents) if (parent === pid) found.push(child);
  }
  return found.slice(1);
}

/**
 * The fields of /proc/<pid>/stat behind the program's name: state, parent, …
 *
 * @param {number} pid
 */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

/** @param {number} pid */
function ticksOf(pid) {
  const fields = statOf(pid);
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** @param {number} pid */
function residentOf(pid) {
  try {
    const [, size = "0"] =
      /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(size) / 1024;
  } catch {
    return 0;
  }
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has gone already.
  }
}
