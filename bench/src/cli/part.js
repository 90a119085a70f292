/**
 * The program beside others of its kind: how long it takes to say its version and its help, and how much
 * memory it holds while it waits at its first screen. Nothing is sent to any model.
 */
import { availableParallelism, loadavg } from "node:os";
import { fastest, idleMemory } from "./measures.js";
import { programs } from "./programs.js";

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const runs = quick ? 3 : 9;
  const floor = fastest([process.execPath, "-e", "0"], runs);
  const rows = [`| node, doing nothing | ${milliseconds(floor)} | – | – |`];
  for (const { name, version, command } of programs(say)) {
    const toVersion = fastest([...command, "--version"], runs);
    const toHelp = fastest([...command, "--help"], runs);
    const memory = await idleMemory(command);
    const size = `${Math.round(memory.size)} MB${memory.isAtRest ? "" : ", never at rest"}`;
    const row = `| ${name} ${version} | ${milliseconds(toVersion)} | ${milliseconds(toHelp)} | ${size} |`;
    say(row);
    rows.push(row);
  }
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `Milliseconds by the clock, the best of ${runs} runs; memory is the resident size of the process and its children at the first
screen, at 80 × 24, in a fresh home. The load of the machine was ${load} on ${availableParallelism()} cores.

| | \`--version\` | \`--help\` | idle, interactive |
|---|---|---|---|
${rows.join("\n")}`;
}

/** @param {number | undefined} time */
function milliseconds(time) {
  return time === undefined ? "failed" : `${Math.round(time)} ms`;
}
