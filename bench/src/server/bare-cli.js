/**
 * The floor: node:http and nothing else, which writes the bytes that Callboard writes for the same run, to
 * everybody who is connected. It knows no log, no cursor, no user and no limit. Ends with its input.
 */
import { createServer } from "node:http";
import { playOf } from "../../../packages/server/dist/scripted/plays.js";

/** @typedef {{ readers: Set<import("node:http").ServerResponse>, past: Buffer[], isOver: boolean }} Run */

/** @type {Map<string, Run>} */
const runs = new Map();

/**
 * @param {string} runId
 * @returns {Run}
 */
function runOf(runId) {
  const known = runs.get(runId);
  if (known) return known;
  /** @type {Run} */
  const run = { readers: new Set(), past: [], isOver: false };
  runs.set(runId, run);
  void play(runId, run);
  return run;
}

/**
 * @param {string} runId
 * @param {Run} run
 */
async function play(runId, run) {
  const plan = playOf(runId);
  if (plan.type === "silence") return;
  const everyMs = plan.type === "pulse" ? plan.everyMs : 0;
  for (let seq = 2; seq < plan.events + 2; seq += 1) {
    if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
    else if (seq % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    const data =
      plan.type === "flood" ? `${seq} `.padEnd(plan.chars, "flood ") : { seq, at: Date.now() };
    const line = JSON.stringify({ event: "data", data, seq });
    const bytes = Buffer.from(`id: ${seq}\ndata: ${line}\n\n`);
    run.past.push(bytes);
    for (const response of run.readers) response.write(bytes);
  }
  run.isOver = true;
  for (const response of run.readers) response.end();
}

const server = createServer((request, response) => {
  if (request.url === "/metrics") {
    const { user, system } = process.cpuUsage();
    const resident = process.memoryUsage.rss();
    response.end(
      `process_cpu_seconds_total ${(user + system) / 1e6}\nprocess_resident_memory_bytes ${resident}\n`,
    );
    return;
  }
  const [, runId = ""] = /runs\/([^/]+)\/events/.exec(request.url ?? "") ?? [];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  const run = runOf(runId);
  if (run.past.length > 0) response.write(Buffer.concat(run.past));
  if (run.isOver) response.end();
  else run.readers.add(response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, token: "" }));
});
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
