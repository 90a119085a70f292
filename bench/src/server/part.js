/**
 * The server: what an event costs for each reader beside bare `node:http`, what a run weighs on the wire in
 * each format, and how many runs one node carries.
 */
import { availableParallelism, loadavg } from "node:os";
import { fanOut } from "./fanOut.js";
import { manyRuns } from "./manyRuns.js";
import { startBare, startCallboard } from "./processes.js";
import { report } from "./report.js";
import { wireOf, writtenRun } from "./wireBytes.js";

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const crowds = [
    { readers: 1, events: quick ? 500 : 4_000, everyMs: 1 },
    { readers: 100, events: quick ? 200 : 1_500, everyMs: 5 },
    { readers: 1_000, events: quick ? 20 : 200, everyMs: 100 },
  ];
  const fanOuts = [];
  for (const start of [startBare, startCallboard]) {
    for (const crowd of crowds) {
      const server = await start();
      try {
        const result = await fanOut(server, crowd);
        fanOuts.push(result);
        say(
          `${result.server}, ${result.readers} readers: ${result.cpu.toFixed(1)} µs for each event`,
        );
      } finally {
        await server.stop();
      }
    }
  }
  const { log, text } = writtenRun();
  const wires = [
    await wireOf("events, 30 lines a second", "events", "ndjson", 30, log),
    await wireOf("events, every delta", "events", "ndjson", undefined, log),
    await wireOf("log, 30 lines a second", "log", "ndjson", 30, log),
    await wireOf("log, every delta", "log", "ndjson", undefined, log),
    await wireOf("AI SDK UI messages, 30 lines a second", "ui-message", "sse", 30, log),
    await wireOf(
      "AI SDK UI messages, every delta (as the AI SDK sends them)",
      "ui-message",
      "sse",
      undefined,
      log,
    ),
    await wireOf("AG-UI, 30 lines a second", "ag-ui", "sse", 30, log),
    await wireOf("AG-UI, every delta (as AG-UI servers send them)", "ag-ui", "sse", undefined, log),
  ];
  for (const { name, bytes } of wires) say(`${name}: ${Math.round(bytes / 1_000)} KB`);
  const many = await manyRuns(quick ? 100 : 1_000);
  say(`${many.runs} runs at once: ${many.seconds.toFixed(1)} s`);
  return report({
    fanOuts,
    wires,
    text,
    many,
    load: loadavg()[0] ?? 0,
    cores: availableParallelism(),
  });
}
