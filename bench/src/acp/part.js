/** ACP: the bytes of two pieces of work, and the CPU of finding out what changed. */

import { sessionId, shellWork, writeWork } from "../../../packages/acp/dist/testing/peerWork.js";
import { bytesOf, performed } from "../../../packages/acp/dist/testing/performed.js";
import { cpuTime } from "../measure.js";
import { contenders } from "./contenders.js";
import { printingLog, replacedBytes } from "./work.js";

const clients = [
  { name: "v1, plain", options: { version: /** @type {const} */ (1) } },
  {
    name: "v1, client appends to terminals",
    options: {
      version: /** @type {const} */ (1),
      terminalKey: /** @type {const} */ ("terminal_output"),
    },
  },
  { name: "v2", options: { version: /** @type {const} */ (2) } },
];

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const rows = [];
  for (const { name, options } of clients) {
    const write = await performed(writeWork, sessionId, options);
    const shell = await performed(shellWork, sessionId, options);
    rows.push(
      `| ${name} | ${write.length}, ${number(bytesOf(write))} | ${shell.length}, ${number(bytesOf(shell))} |`,
    );
  }
  const sizes = quick ? [160, 1_600] : [160, 1_600, 16_000];
  const costs = [];
  for (const { name, run: work } of contenders) {
    const cells = [];
    for (const lines of sizes) {
      const log = printingLog(lines);
      const isSlow = name.startsWith("fields") && lines > 1_600;
      const limits = { runs: isSlow ? 1 : 3, budget: quick || isSlow ? 0 : 1e9 };
      const { time } = await cpuTime(() => work(log), limits);
      cells.push(`${(time / log.length / 1000).toFixed(time / log.length < 1e5 ? 1 : 0)} µs`);
      say(`${name}, ${lines} lines: ${cells.at(-1)} per event`);
    }
    costs.push(`| ${name} | ${cells.join(" | ")} |`);
  }
  return `Bytes of every line from the prompt to its answer, permission and states included, as lines and bytes: a file of 10,080
characters written with arguments in deltas of 40 characters 8 ms apart, shown live; and a command that prints 160 lines of 63
characters over 4 s, shown live.
Sending the output again with each line would take ${number(replacedBytes(160))} bytes.

| client | write | shell |
|---|---|---|
${rows.join("\n")}

CPU per event of finding out what changed, for a command that prints so many lines.

| | ${sizes.map((lines) => `${number(lines)} lines`).join(" | ")} |
|---|${sizes.map(() => "---|").join("")}
${costs.join("\n")}
`;
}

/** @param {number} value */
function number(value) {
  return Math.round(value).toLocaleString("en-US");
}
