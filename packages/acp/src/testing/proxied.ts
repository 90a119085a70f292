/** A dialogue through the proxy, at a steady pace of 25 ms a line, with a record in memory. */
import { createMemorySessionStore, type Logger } from "@callboard/agent-sdk";
import type { JsonObject, RunEvent } from "@callboard/run-log";
import { createProxyCore } from "../proxy/proxyCore.js";
import { createSessionRecorder } from "../proxy/sessionRecorder.js";
import { createUpdateEngine } from "../updates/updateEngine.js";
import { createFakeClock } from "./fakeClock.js";
import { type ForeignTalk, sessionId } from "./foreignTalk.js";

const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface Proxied {
  /** Both sides, as the client sees them. */
  readonly seen: readonly string[];
  /** The agent's side as it was, with the client's answers between. */
  readonly raw: readonly string[];
  readonly toClient: readonly JsonObject[];
  readonly events: readonly RunEvent[];
  readonly closedCalls: number;
}

const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });

export async function proxied(talk: ForeignTalk): Promise<Proxied> {
  const clock = createFakeClock();
  const store = createMemorySessionStore({ clock });
  const recorder = createSessionRecorder({ store, clock, logger: quiet });
  const seen: string[] = [];
  const raw: string[] = [];
  const toClient: JsonObject[] = [];
  const show = async (message: JsonObject): Promise<void> => {
    toClient.push(message);
    seen.push(JSON.stringify(message));
    if (message.method !== "session/request_permission") return;
    const outcome = { outcome: "selected", optionId: talk.choice };
    await send(rpc({ id: message.id ?? 0, result: { outcome } }));
  };
  const core = createProxyCore({
    createEngine: (setup) => createUpdateEngine({ ...setup, clock }),
    toClient: show,
    toAgent: async () => undefined,
    witness: recorder,
  });
  const send = (message: JsonObject): Promise<void> => {
    seen.push(JSON.stringify(message));
    raw.push(JSON.stringify(message));
    return core.fromClient(message);
  };
  const hear = async (message: JsonObject): Promise<void> => {
    raw.push(JSON.stringify(message));
    let isDone = false;
    const heard = core.fromAgent(message).then(() => {
      isDone = true;
    });
    while (!isDone) await clock.advance(0);
    await heard;
    await clock.advance(25);
  };
  await send(rpc({ id: 0, method: "initialize", params: { protocolVersion: 1 } }));
  await hear(rpc({ id: 0, result: { protocolVersion: 1, agentInfo: { name: "foreign" } } }));
  await send(rpc({ id: 1, method: "session/new", params: { cwd: "/project", mcpServers: [] } }));
  await hear(rpc({ id: 1, result: { sessionId } }));
  const prompt = [{ type: "text", text: "go" }];
  await send(rpc({ id: 2, method: "session/prompt", params: { sessionId, prompt } }));
  for (const line of talk.lines) {
    if (line === "cancel") await send(rpc({ method: "session/cancel", params: { sessionId } }));
    else await hear(line);
  }
  await clock.advance(10_000);
  await recorder.close();
  const log = await store.open(sessionId);
  const events: RunEvent[] = [];
  for (const id of await log.runIds()) events.push(...(await log.read(id, { after: 0 })));
  return { seen, raw, toClient, events, closedCalls: core.closedCalls };
}
