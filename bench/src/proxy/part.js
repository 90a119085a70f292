/**
 * What the proxy adds to the start of an agent: the time until the first answer reaches the editor, and the memory of
 * its process, beside a process of Node that does nothing.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const bars = { addedMs: 300, processMb: 60 };
const agent = fileURLToPath(new URL("./agent.js", import.meta.url));
const launcher = fileURLToPath(new URL("../../../packages/code/bin/callboard.js", import.meta.url));
const firstRequest = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1 },
})}\n`;

/** @typedef {{ readonly ms: number, readonly cpuMs: number, readonly mb: number }} Figure */

/** @type {Readonly<Record<string, readonly string[]>>} */
const commands = {
  // It answers when it is up, like the others, and lives until its memory was read.
  node: ["-e", "console.log(0); process.stdin.resume()"],
  agent: [agent],
  proxied: [launcher, "acp-proxy", "--", process.execPath, agent],
};

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const home = mkdtempSync(join(tmpdir(), "callboard-bench-proxy-"));
  /** @type {Record<string, Figure>} */
  const best = {};
  try {
    for (let turn = 0; turn < (quick ? 5 : 15); turn += 1) {
      for (const [name, command] of Object.entries(commands)) {
        const figure = await started(command, home);
        const { ms, cpuMs, mb } = best[name] ?? figure;
        best[name] = {
          ms: Math.min(ms, figure.ms),
          cpuMs: Math.min(cpuMs, figure.cpuMs),
          mb: Math.min(mb, figure.mb),
        };
      }
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const { node, agent: alone, proxied } = best;
  if (!node || !alone || !proxied) throw new Error("nothing was measured");
  const addedMs = proxied.ms - alone.ms;
  const row = (/** @type {string} */ name, /** @type {Figure} */ { ms, cpuMs, mb }) =>
    `| ${name} | ${Math.round(ms)} ms | ${cpuMs} ms | ${mb.toFixed(1)} MB |`;
  const rows = [
    row("`node -e 0`", node),
    row("an agent that only answers", alone),
    row("the same agent behind the proxy: the proxy's process", proxied),
  ];
  for (const line of rows) say(line);
  const met = (/** @type {boolean} */ is) => (is ? "met" : "**missed**");
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `From the start of the process to its first answer, by the clock and in CPU time of the process itself, and the maximum of its memory
until then; the best of each. The proxy is started as it is installed. The load of the machine was ${load} on
${availableParallelism()} cores.

| | first answer | CPU | memory |
|---|---|---|---|
${rows.join("\n")}

| bar | | measured |
|---|---|---|
| the proxy adds < ${bars.addedMs} ms to the first answer, in CPU time | ${met(proxied.cpuMs < bars.addedMs)} | ${proxied.cpuMs} ms, ${(proxied.cpuMs / node.cpuMs).toFixed(1)} × \`node -e 0\`; ${Math.round(addedMs)} ms by the clock |
| the proxy's process < ${bars.processMb} MB | ${met(proxied.mb < bars.processMb)} | ${proxied.mb.toFixed(1)} MB, ${(proxied.mb - node.mb).toFixed(1)} MB more than \`node -e 0\` |`;
}

/**
 * @param {readonly string[]} command
 * @param {string} home
 * @returns {Promise<Figure>}
 */
async function started(command, home) {
  const begun = performance.now();
  const child = spawn(process.execPath, command, {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH, HOME: home, CALLBOARD_HOME: home },
  });
  child.stdin.write(firstRequest);
  await new Promise((resolve, reject) => {
    child.stdout.once("data", resolve);
    child.once("exit", () => reject(new Error(`${command.join(" ")} ended without an answer`)));
  });
  const ms = performance.now() - begun;
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  const mb = Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) / 1024;
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
  // A tick is a hundredth of a second.
  const cpuMs = (Number(fields?.[11]) + Number(fields?.[12])) * 10;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.stdin.end();
  await ended;
  return { ms, cpuMs, mb };
}
