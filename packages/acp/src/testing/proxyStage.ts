/** The proxy without processes: messages in, messages out, a record in memory, time that is moved. */
import {
  createMemorySessionStore,
  type Logger,
  type SessionLog,
  type SessionStore,
} from "@callboard/agent-sdk";
import type { JsonObject } from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import { createProxyCore } from "../proxy/proxyCore.js";
import { createSessionRecorder } from "../proxy/sessionRecorder.js";
import type { ClientProfile } from "../updates/profiles.js";
import { createUpdateEngine } from "../updates/updateEngine.js";
import { createFakeClock } from "./fakeClock.js";

export const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });
export const update = (sessionId: string, fields: JsonObject): JsonObject =>
  rpc({ method: "session/update", params: { sessionId, update: fields } });

/** A store that knows which logs are open. */
function watched(clock: ReturnType<typeof createFakeClock>) {
  const store = createMemorySessionStore({ clock });
  const open = new Set<string>();
  const watching: SessionStore = {
    ...store,
    async open(sessionId) {
      const log = await store.open(sessionId);
      open.add(sessionId);
      const close: SessionLog["close"] = async () => {
        open.delete(sessionId);
        await log.close();
      };
      return { ...log, close };
    },
  };
  return { store: watching, open };
}

export async function createProxyStage(version: AcpVersion = 1, profile?: ClientProfile) {
  const clock = createFakeClock();
  const { store, open } = watched(clock);
  const warnings: string[] = [];
  const quiet = () => undefined;
  const warn = (message: string) => void warnings.push(message);
  const logger: Logger = { debug: quiet, info: quiet, warn, error: warn };
  const recorder = createSessionRecorder({ store, clock, logger });
  const toClient: JsonObject[] = [];
  const toAgent: JsonObject[] = [];
  const show = async (message: JsonObject): Promise<void> => void toClient.push(message);
  const core = createProxyCore({
    createEngine: (setup) => createUpdateEngine({ ...setup, clock }),
    toClient: show,
    toAgent: async (message) => void toAgent.push(message),
    witness: recorder,
    ...(profile ? { profile } : {}),
  });
  const hear = async (message: JsonObject): Promise<void> => {
    const heard = core.fromAgent(message);
    await clock.advance(1_000);
    await heard;
  };
  let id = 0;
  const asked = async (method: string, params: JsonObject, ...told: readonly JsonObject[]) => {
    id += 1;
    const mine = id;
    await core.fromClient(rpc({ id: mine, method, params }));
    for (const message of told) await hear(message);
    const stopReason = method === "session/prompt" ? { stopReason: "end_turn" } : {};
    const initialized = method === "initialize" ? { protocolVersion: version } : {};
    await hear(rpc({ id: mine, result: { ...stopReason, ...initialized } }));
  };
  const updates = () =>
    toClient.flatMap(({ params }) => (Object(params).update ? [Object(params).update] : []));
  await asked("initialize", { protocolVersion: version });
  return {
    ...{ asked, hear, updates, toClient, toAgent },
    ...{ open, store, recorder, warnings, core },
  };
}
