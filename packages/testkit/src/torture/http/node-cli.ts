/**
 * One node of several: a real server on a shared database, or alone on the embedded one, with an agent that
 * rehearses slowly. Ends with its input; a test that kills it without warning sees what the others, or the next
 * process, make of its runs.
 */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { defineTool, systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { startServer } from "@callboard/server";
import { z } from "zod";

const optionsSchema = z.object({
  home: z.string(),
  /** Left out: the embedded database of the home. */
  databaseUrl: z.string().exactOptional(),
  redisUrl: z.string().exactOptional(),
  secret: z.string(),
  leaseMs: z.number(),
});

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? "{}"));
const { home } = options;
const quiet = (): void => undefined;
let aheadMs = 0;
/** Somebody sets the hour of the machine back, and on again. */
process.on("SIGUSR2", () => {
  aheadMs = aheadMs === 0 ? -3_600_000 : 0;
});
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
const model = createRehearsalModel({ clock: systemClock, paceMs: 5 });
const work = defineTool({
  name: "work",
  description: "Works for a while and says so.",
  kind: "other",
  input: z.object({ ms: z.number() }),
  concurrency: "safe",
  async run({ ms }, { output, signal }) {
    for (let done = 0; done < ms && !signal.aborted; done += 20) {
      output(`${done} ms\n`);
      await systemClock.sleep(20, signal);
    }
    return "worked";
  },
});
const note = defineTool({
  name: "note",
  description:
    "Writes a line to a file of that name: whoever counts the lines knows how often it ran.",
  kind: "other",
  input: z.object({ name: z.uuid() }),
  concurrency: "safe",
  async run({ name }) {
    await appendFile(join(home, `${name}.note`), "ran\n");
    return "noted";
  },
});
const tick = defineTool({
  name: "tick",
  description:
    "Writes the time to a file of that name, again and again: whoever reads it knows until when it ran.",
  kind: "other",
  input: z.object({ name: z.uuid(), ms: z.number() }),
  concurrency: "safe",
  async run({ name, ms }, { signal }) {
    for (let done = 0; done < ms && !signal.aborted; done += 20) {
      await appendFile(join(home, `${name}.ticks`), `${systemClock.now()}\n`);
      await systemClock.sleep(20, signal);
    }
    return "ticked";
  },
});
const pay = defineTool({
  name: "pay",
  description:
    "Asks first, then writes its effect key to a file of that name: whoever counts the lines knows how often it paid.",
  kind: "execute",
  input: z.object({ name: z.uuid() }),
  concurrency: "safe",
  async run({ name }, { effectKey }) {
    await appendFile(join(home, `${name}.effects`), `${effectKey}\n`);
    return "paid";
  },
});
const agent = { model, tools: [work, note, tick, pay] };
const { secret, ...places } = options;
const server = await startServer({
  ...places,
  port: 0,
  clock,
  auth: { secret },
  agents: { default: agent, resumable: { ...agent, isResumable: true } },
  limits: {
    requestsPerMinute: undefined,
    readBytesPerMinute: undefined,
    sweepMs: 250,
    shutdownMs: 0,
  },
  env: { CALLBOARD_HOME: home },
  logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
});
console.log(JSON.stringify({ url: server.url, token: "" }));
const { gc } = globalThis;
const orders = createInterface({ input: process.stdin });
const samples = 7;
/**
 * The only order: what is held after everything unreachable is released. A timer or a finalizer may hold
 * something for a moment, so it is the median of several looks.
 */
async function heldBytes(): Promise<number> {
  const held: number[] = [];
  for (let taken = 0; taken < samples; taken += 1) {
    await systemClock.sleep(50);
    gc?.();
    const { heapUsed, external } = process.memoryUsage();
    held.push(heapUsed + external);
  }
  return held.toSorted((a, b) => a - b)[(samples - 1) / 2] ?? 0;
}
orders.on("line", () => {
  void heldBytes().then((bytes) => console.log(JSON.stringify({ heldBytes: bytes })));
});
orders.once("close", () => {
  void server.close().finally(() => process.exit(0));
});
