/** Sessions that are told again or closed behind the proxy, and what is kept of them. */
import { describe, expect, it } from "vitest";
import { createProxyStage as stage, update } from "../testing/proxyStage.js";

const opening = { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls" };
const closing = { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" };

const prompt = (sessionId: string) => ({ sessionId, prompt: [{ type: "text", text: "go" }] });

describe("a session behind the proxy", () => {
  it("that is loaded again on the same connection is sent again, calls that ended too", async () => {
    const { asked, updates } = await stage();
    await asked("session/prompt", prompt("s"), update("s", opening), update("s", closing));
    const replayed = { ...opening, status: "completed" };
    const before = updates().length;
    await asked("session/load", { sessionId: "s" }, update("s", replayed));
    await asked("session/load", { sessionId: "s" }, update("s", replayed));
    expect(updates().slice(before)).toMatchObject([replayed, replayed]);
  });

  it("that is resumed is sent again on v2 where the client asks for it", async () => {
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

  it("whose agent names calls in the background keeps them open, in the record too", async () => {
    const { hear, updates, core, recorder, store } = await stage();
    await core.fromClient({ jsonrpc: "2.0", id: 9, method: "session/prompt", params: prompt("s") });
    await hear(update("s", { ...opening, status: "in_progress" }));
    const _meta = { callboard: { background: [{ toolCallId: "c1" }] } };
    await hear({ jsonrpc: "2.0", id: 9, result: { stopReason: "end_turn", _meta } });
    expect(core.engine.openCalls("s")).toEqual(["c1"]);
    await hear(update("s", closing));
    expect(updates().map(({ status }) => status)).toEqual(["in_progress", "completed"]);
    await recorder.close();
    const log = await store.open("s");
    const [runId] = await log.runIds();
    const events = runId === undefined ? [] : await log.read(runId, { after: 0 });
    const ends = events.flatMap((event) => (event.type === "call.closed" ? [event.outcome] : []));
    expect(ends).toEqual(["ok"]);
  });

  it("that is loaded again is recorded once, and continues in runs of its own", async () => {
    const { asked, store, recorder } = await stage();
    await asked("session/prompt", prompt("s"), update("s", opening), update("s", closing));
    const replayed = { ...opening, status: "completed" };
    const words = {
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "again" },
    };
    await asked("session/load", { sessionId: "s" }, update("s", replayed), update("s", words));
    await asked("session/prompt", prompt("s"));
    await recorder.close();
    const log = await store.open("s");
    const runs = await log.runIds();
    const events = (await Promise.all(runs.map((id) => log.read(id, { after: 0 })))).flat();
    const calls = events.filter(({ type }) => type === "call.opened");
    expect([runs.length, calls.length, events.at(-1)?.type]).toEqual([2, 1, "run.closed"]);
    expect(events.filter(({ type }) => type === "text.closed")).toHaveLength(2);
    expect(JSON.stringify(events)).not.toContain("again");
  });

  it("that is resumed is told its commands again", async () => {
    const { asked, updates } = await stage();
    const commands = { sessionUpdate: "available_commands_update", availableCommands: [] };
    await asked("session/prompt", prompt("s"), update("s", commands));
    await asked("session/resume", { sessionId: "s" }, update("s", commands));
    expect(updates()).toEqual([commands, commands]);
  });

  it("that rests is not kept open for ever, and is recorded when it continues", async () => {
    const { asked, open, recorder, warnings } = await stage();
    const ids = Array.from({ length: 40 }, (_, index) => `s${index}`);
    for (const id of [...ids, "s0", "s1"]) await asked("session/prompt", prompt(id));
    expect(open.size).toBe(16);
    expect([...open].slice(-2)).toEqual(["s0", "s1"]);
    await recorder.close();
    expect([open.size, warnings]).toEqual([0, []]);
  });
});
