/**
 * Intake: what it costs to make a log of a foreign stream, beside parsing the same lines in the same process.
 * The heap is read after a tenth of the stream and after all of it.
 */
import { loadavg } from "node:os";
import { createIntake } from "../../../packages/run-log/dist/intake/index.js";
import { cpuTime } from "../measure.js";
import { claudeLines } from "./lines.js";

const bar = 3;

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const lines = claudeLines(quick ? 60_000 : 1_000_000);
  const limits = { runs: 3, budget: 0 };
  const load = loadavg()[0] ?? 0;
  // A first round of both, so that neither is measured while it is compiled.
  parseAll(lines);
  takeAll(lines);
  const parse = await cpuTime(() => parseAll(lines), limits);
  const take = await cpuTime(() => takeAll(lines), limits);
  const ratio = take.time / parse.time;
  const heap = heapOf(lines);
  say(
    `parse ${perLine(parse.time, lines)}, intake ${perLine(take.time, lines)}: ${ratio.toFixed(1)} ×`,
  );
  const verdict = ratio <= bar ? "met" : "**missed**";
  return [
    `${lines.length.toLocaleString("en")} lines of Claude Code's stream-json, most of them deltas; CPU time, the best of ${limits.runs}; load average ${load.toFixed(1)}.`,
    "",
    "| | a line | × parsing |",
    "| --- | --- | --- |",
    `| \`JSON.parse\` | ${perLine(parse.time, lines)} | 1 |`,
    `| intake | ${perLine(take.time, lines)} | ${ratio.toFixed(1)} |`,
    "",
    "| bar | | measured |",
    "|---|---|---|",
    `| intake ≤ ${bar} × parsing | ${verdict} | ${ratio.toFixed(1)} × |`,
    `| events of ${lines.length.toLocaleString("en")} lines | | ${String(take.value)} |`,
    `| heap in use, nothing forced to be freed | | ${heap.early} MB after a tenth, ${heap.late} MB at the end |`,
  ].join("\n");
}

/** @param {readonly string[]} lines */
export function parseAll(lines) {
  let objects = 0;
  for (const line of lines) if (JSON.parse(line) !== null) objects += 1;
  return objects;
}

/** @param {readonly string[]} lines */
export function takeAll(lines) {
  const intake = newIntake();
  let events = 0;
  for (const line of lines) events += eventsIn(intake.push(line));
  return events + eventsIn(intake.end());
}

function newIntake() {
  return createIntake({ dialect: "claudeCode", sessionId: "bench", clock: () => 1 });
}

/** @param {import("../../../packages/run-log/dist/intake/index.js").Taken} taken */
function eventsIn(taken) {
  let events = 0;
  for (const session of taken.sessions) events += session.events.length;
  return events;
}

/** @param {readonly string[]} lines */
function heapOf(lines) {
  const intake = newIntake();
  let early = 0;
  for (const [index, line] of lines.entries()) {
    intake.push(line);
    if (index === Math.floor(lines.length / 10)) early = megabytes();
  }
  return { early, late: megabytes() };
}

function megabytes() {
  return Math.round(process.memoryUsage().heapUsed / 1e6);
}

/**
 * @param {number} time
 * @param {readonly string[]} lines
 */
function perLine(time, lines) {
  return `${(time / lines.length / 1000).toFixed(2)} µs`;
}
