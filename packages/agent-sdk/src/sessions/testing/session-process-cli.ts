/**
 * A process for the tests of sessions, told what to do by lines on its input and answering by lines:
 *   `open <id>`    → `opened` or the name of the error
 *   `write <id>`   → opens, then appends runs until it is killed: `at <runId> <seq>` once each is stored
 *   `fill <id>`    → opens, then appends until it fails: the errors of that append and of the next
 *   `exit`         → ends in the ordinary way without closing anything
 * It never ends by itself while its input is open.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { runId } from "@callboard/run-log";
import { systemClock } from "../../system/systemClock.js";
import { createFileSessionStore } from "../fileSessionStore.js";
import { batchesOf, createListener } from "./testSession.js";

const [home = ""] = process.argv.slice(2);
const clock = { ...systemClock, sleep: async () => {} };
const store = createFileSessionStore({ home, logger: createListener(), clock });

/** In one step, so that a kill leaves no half line behind. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}

async function open(sessionId: string): Promise<void> {
  try {
    await store.open(sessionId);
    say("opened");
  } catch (error) {
    say(nameOf(error));
  }
}

async function write(sessionId: string, { largest }: { largest: number }): Promise<void> {
  say("opening");
  const log = await store.open(sessionId);
  for (let count = 0; ; count += 1) {
    const id = runId(`run_${process.pid}_${count}`);
    const outputBytes = count % 3 === 2 ? largest : 40;
    for (const batch of batchesOf(id, 1 + (count % 4), outputBytes)) {
      const expected = (batch[0]?.seq ?? 1) - 1;
      const { seq } = await log.append(id, expected, batch);
      say(`at ${id} ${seq}`);
    }
  }
}

async function fill(sessionId: string): Promise<void> {
  const log = await store.open(sessionId);
  for (let count = 0; ; count += 1) {
    const id = runId(`run_${count}`);
    for (const batch of batchesOf(id, 3, 4_000)) {
      const append = () => log.append(id, (batch[0]?.seq ?? 1) - 1, batch);
      try {
        await append();
      } catch (first) {
        const second = await append().catch(nameOf);
        say(`${nameOf(first)} ${String(second)}`);
        return;
      }
    }
  }
}

async function obey(line: string): Promise<void> {
  const [command, sessionId = ""] = line.split(" ");
  if (command === "open") await open(sessionId);
  else if (command === "write") await write(sessionId, { largest: 400_000 });
  else if (command === "fill") await fill(sessionId);
  else if (command === "exit") process.exit(0);
  else throw new Error(`unknown command: ${line}`);
}

for await (const line of createInterface({ input: process.stdin })) await obey(line);
