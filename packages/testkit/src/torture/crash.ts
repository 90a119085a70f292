/**
 * Real `kill -9` at random points of real runs. A case starts an agent in a process of its own, kills
 * it, now and then starts another one on what is left and kills that as well, and then looks at the
 * file and at the machine. The seed decides what is asked and when the kill falls; where exactly it
 * hits is the machine's business. What a failed case left on disk stays there and is named.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aftermathOf } from "./crash/aftermath.js";
import { killedAgent } from "./crash/killedAgent.js";
import { randomCrashScript } from "./crash/script.js";
import { holdersOf, survivorsOf } from "./crash/survivors.js";
import { createRandom } from "./random.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const crashTorture: TorturePart = {
  name: "crash",
  promise:
    "kill -9 at random points of real runs: every call has one end on disk, the next run works, no process survives",
  fullCount: 1_000,
  quickCount: 4,
  concurrency: 4,
  tryCase: tryCrash,
};

const sessionId = "killed";
const survivorPatienceMs = 20_000;
let cases = 0;

async function tryCrash(seed: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const folder = await mkdtemp(join(tmpdir(), "callboard-crash-"));
  const home = join(folder, "home");
  const workdir = join(folder, "work");
  await mkdir(workdir);
  const mark = newMark();
  const told = new Map<string, number>();
  const faults: string[] = [];
  const kills = random.int(4) === 0 ? 2 : 1;
  let orphans = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const part = randomCrashScript(random, `300.${mark}`, sessionId);
    const killed = await killedAgent({
      home,
      workdir,
      mark,
      ...part,
      knownRuns: new Set(told.keys()),
    });
    orphans += holdersOf(mark).length;
    for (const [runId, seq] of killed.told) told.set(runId, seq);
    if (killed.complaint !== "") faults.push(`the agent complained: ${killed.complaint}`);
  }
  const aftermath = await aftermathOf({ home, workdir, sessionId, told });
  faults.push(...aftermath.faults);
  const survivors = await survivorsOf(mark, survivorPatienceMs);
  for (const survivor of survivors) faults.push(`survived: ${survivor}`);
  if (faults.length === 0) await rm(folder, { recursive: true, maxRetries: 5 });
  return {
    failure: faults.length === 0 ? undefined : [...faults, `see ${folder}`].join("\n"),
    figures: {
      kills,
      calls: aftermath.calls,
      "found open": aftermath.foundOpen,
      "of them closed": aftermath.closedByOpening,
      "processes orphaned": orphans,
      survivors: survivors.length,
    },
  };
}

/** Digits, because `sleep` takes them behind its point, that no other process on the machine holds. */
function newMark(): string {
  cases += 1;
  return `${String(process.pid).padStart(8, "0")}${String(cases).padStart(8, "0")}`;
}
