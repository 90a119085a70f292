/**
 * A recorded agent as a program: it writes what the agent of the recording wrote, and waits for its client only where the
 * recording answers or asks. It answers under the ids of its client, and not at the times of the recording.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { readLines } from "../proxy/lines.js";
import { recordedLines } from "./recordedSession.js";

/** The requests of a client in the order of their ids in the recordings. */
const methods = ["initialize", "session/new", "session/prompt"];
const ids = new Map<number, JsonValue>();
const heard: JsonObject[] = [];
let wake = (): void => undefined;

async function untilHeard(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
  for (;;) {
    const message = heard.find(fits);
    if (message) return message;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

async function idOfClient(recorded: number): Promise<JsonValue> {
  const known = ids.get(recorded);
  if (known !== undefined) return known;
  const { id = null } = await untilHeard(({ method }) => method === methods[recorded]);
  ids.set(recorded, id);
  return id;
}

async function tell(): Promise<void> {
  for (const { message } of recordedLines(process.argv[2] ?? "")) {
    const { id, method } = message;
    const isAnswer = method === undefined && typeof id === "number";
    if (method === "session/update" && ids.has(1)) await idOfClient(2);
    const told = isAnswer ? { ...message, id: await idOfClient(id) } : message;
    process.stdout.write(`${JSON.stringify(told)}\n`);
    if (method !== undefined && id !== undefined) {
      await untilHeard((answer) => answer.method === undefined && answer.id === id);
    }
  }
}

void tell();
for await (const line of readLines(process.stdin)) {
  if (line.type !== "message") continue;
  heard.push(line.message);
  wake();
}
process.exit(0);
