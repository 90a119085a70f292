/** A foreign agent as a program: it writes one of the small dialogues, line after line. */
import { isJsonObject, type JsonObject } from "@callboard/run-log";
import { readLines } from "../proxy/lines.js";
import { foreignTalks, sessionId } from "./foreignTalk.js";

const talk = foreignTalks[Number(process.argv[2] ?? 0)];
const mode = process.argv[3];
const say = (message: JsonObject): void => {
  process.stdout.write(`${JSON.stringify(message)}\n`);
};
let waiting: (() => void) | undefined;

async function tell(): Promise<void> {
  for (const line of talk?.lines ?? []) {
    if (line === "cancel") {
      await heard();
      continue;
    }
    if (mode === "dies" && isJsonObject(line.result)) process.exit(3);
    say(line);
    if (line.method === "session/request_permission") await heard();
  }
}

/** Until the client sends something. */
function heard(): Promise<void> {
  return new Promise((resolve) => {
    waiting = resolve;
  });
}

if (mode === "noisy") process.stdout.write("this is no JSON\n");
for await (const line of readLines(process.stdin)) {
  if (line.type !== "message") continue;
  const { method, id = null } = line.message;
  if (method === "initialize") say({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
  else if (method === "session/new") say({ jsonrpc: "2.0", id, result: { sessionId } });
  else if (method === "session/prompt") void tell();
  else waiting?.();
}
