/** Sessions that are told anew or closed behind the proxy, and what is kept of them. */
import {
  createMemorySessionStore,
  type Logger,
  type SessionLog,
  type SessionStore,
} from "@callboard/agent-sdk";
import type { AcpVersion, JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createUpdateEngine } from "../updates/updateEngine.js";
import { createProxyCore } from "./proxyCore.js";
import { createSessionRecorder } from "./sessionRecorder.js";

const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });
const update = (sessionId: string, fields: JsonObject): JsonObject =>
  rpc({ method: "session/update", params: { sessionId, update: fields } });
const opening = { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls" };
const closing = { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" };

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

async function stage(version: AcpVersion = 1) {
  const clock = createFakeClock();
  const { store, open } = watched(clock);
  const warnings: string[] = [];
  const quiet = () => undefined;
  const warn = (message: string) => void warnings.push(message);
  const logger: Logger = { debug: quiet, info: quiet, warn, error: warn };
  const recorder = createSessionRecorder({ store, clock, logger });
  const toClient: JsonObject[] = [];
  const show = async (message: JsonObject): Promise<void> => void toClient.push(message);
  const core = createProxyCore({
    createEngine: (spoken, profile) =>
      createUpdateEngine({
        ...{ clock, version: spoken, profile },
        write: (id, body) => show(update(id, body)),
      }),
    toClient: show,
    toAgent: async () => undefined,
    witness: recorder,
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
  return { asked, updates, open, recorder, warnings, core };
}

const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "go" }] });

describe("a session behind the proxy", () => {
  it("that is loaded again on the same connection is told again, calls that ended too", async () => {
    const { asked, updates } = await stage();
    await asked("session/prompt", prompt("s"), update("s", opening), update("s", closing));
    const replayed = { ...opening, status: "completed" };
    const before = updates().length;
    await asked("session/load", { sessionId: "s" }, update("s", replayed));
    await asked("session/load", { sessionId: "s" }, update("s", replayed));
    expect(updates().slice(before)).toMatchObject([replayed, replayed]);
  });

  it("that is resumed is told again on v2 where the client asks for it", async () => {
    const { asked, updates } = await stage(2);
    const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
    const call = { ...closing, title: "ls" };
    await asked("session/prompt", prompt("s"), update("s", call), update("s", idle));
    await asked("session/resume", { sessionId: "s" }, update("s", call));
    const before = updates().length;
    const replayFrom = { type: "start" };
    await asked("session/resume", { sessionId: "s", replayFrom }, update("s", call));
    expect(updates().slice(before)).toMatchObject([call]);
    expect(before).toBe(2);
  });

  it.each(["session/close", "session/delete"])(
    "that ends by %s has its calls closed, and its record",
    async (method) => {
      const { asked, updates, open, core } = await stage();
      await asked("session/prompt", prompt("s"));
      expect([...open]).toEqual(["s"]);
      await asked(method, { sessionId: "s" }, update("s", opening));
      expect(updates().at(-1)).toMatchObject({ toolCallId: "c1", status: "failed" });
      expect([...open]).toEqual([]);
      expect(core.engine.openCalls("s")).toEqual([]);
    },
  );

  it("that rests is not kept open for ever, and is recorded when it goes on", async () => {
    const { asked, open, recorder, warnings } = await stage();
    const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
    for (const id of [...ids, "s0", "s1"]) await asked("session/prompt", prompt(id));
    expect(open.size).toBe(16);
    expect([...open].slice(-2)).toEqual(["s0", "s1"]);
    await recorder.close();
    expect([open.size, warnings]).toEqual([0, []]);
  });
});
