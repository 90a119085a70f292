/** What the proxy corrects: names, order, ends. And what it must leave as it is. */
import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createProxyStage, rpc, update } from "../testing/proxyStage.js";

const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];
const asking = (toolCall: JsonObject, id = 70): JsonObject =>
  rpc({
    ...{ id, method: "session/request_permission" },
    params: { sessionId: "s", toolCall, options },
  });
const prompt = { sessionId: "s", prompt: [] };
const call = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call", toolCallId: "c1", ...fields });
const more = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
const toolCallIn = (message: JsonObject | undefined): unknown => {
  const params = Object(message?.params);
  return params.toolCall ?? params.subject?.toolCall;
};

describe("an id that is used again", () => {
  it("in a later turn is another call, asked about under its own name", async () => {
    const { asked, updates, toClient } = await createProxyStage();
    const done = more({ status: "completed" });
    await asked("session/prompt", prompt, call({ title: "ls", status: "pending" }), done);
    await asked(
      "session/prompt",
      prompt,
      call({ title: "rm -rf /", status: "pending" }),
      asking({ toolCallId: "c1" }),
      more({ status: "failed" }),
    );
    expect(updates()).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls", status: "pending" },
      { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" },
      { sessionUpdate: "tool_call", toolCallId: "c1~2", title: "rm -rf /", status: "pending" },
      { sessionUpdate: "tool_call_update", toolCallId: "c1~2", status: "failed" },
    ]);
    const question = toClient.find(({ method }) => method === "session/request_permission");
    expect(toolCallIn(question)).toEqual({ toolCallId: "c1~2", title: "rm -rf /" });
  });

  it.each([
    ["v1", 1, call({ title: "pwd", status: "completed" })],
    ["v1", 1, call({ title: "ls", rawInput: { path: "/b" }, status: "failed" })],
    ["v2", 2, more({ title: "pwd", status: "completed" })],
  ] as const)(
    "in the same turn of %s is another call if it does something else, whole as it is",
    async (_, version, other) => {
      const { asked, updates } = await createProxyStage(version);
      const first = { title: "ls", rawInput: { path: "/a" }, status: "completed" };
      const whole = version === 1 ? call(first) : more(first);
      const end = update("s", { sessionUpdate: "state_update", state: "idle" });
      await asked("session/prompt", prompt, whole, whole, other, ...(version === 2 ? [end] : []));
      const ids = updates().flatMap(({ toolCallId }) => toolCallId ?? []);
      expect(ids).toEqual(["c1", "c1~2"]);
      expect(updates()[1]).toEqual({ ...Object(other.params).update, toolCallId: "c1~2" });
    },
  );

  it("by a question alone is never that of a call that has ended", async () => {
    const { asked, toClient, updates } = await createProxyStage();
    await asked("session/prompt", prompt, call({ title: "ls", status: "completed" }));
    await asked("session/prompt", prompt, asking({ toolCallId: "c1", title: "rm -rf /" }));
    const question = toClient.find(({ method }) => method === "session/request_permission");
    expect(toolCallIn(question)).toEqual({ toolCallId: "c1~2", title: "rm -rf /" });
    expect(updates().at(-1)).toMatchObject({ toolCallId: "c1~2", status: "failed" });
  });

  it("takes its terminal along, and late words of the old call are not heard", async () => {
    const { asked, updates } = await createProxyStage();
    const terminal = { type: "terminal", terminalId: "c1" };
    const info = { terminal_info: { terminal_id: "c1" } };
    await asked(
      "session/prompt",
      prompt,
      call({ title: "ls", status: "completed", content: [terminal], _meta: info }),
      more({ status: "in_progress" }),
    );
    await asked(
      "session/prompt",
      prompt,
      call({ title: "pwd", status: "in_progress", content: [terminal], _meta: info }),
      more({ _meta: { terminal_output: { terminal_id: "c1", data: "/" } } }),
    );
    expect(updates().slice(1, 3)).toEqual([
      {
        ...{ sessionUpdate: "tool_call", toolCallId: "c1~2", status: "in_progress", title: "pwd" },
        content: [{ type: "terminal", terminalId: "c1~2" }],
        _meta: { terminal_info: { terminal_id: "c1~2" } },
      },
      {
        ...{ sessionUpdate: "tool_call_update", toolCallId: "c1~2" },
        _meta: { terminal_output: { terminal_id: "c1~2", data: "/" } },
      },
    ]);
  });

  it("is the agent's own where the client cancels the call", async () => {
    const { asked, toAgent } = await createProxyStage(2);
    const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
    await asked("session/prompt", prompt, more({ status: "completed" }), update("s", idle));
    await asked("session/prompt", prompt, more({ title: "again", status: "in_progress" }));
    await asked("tool_call/cancel", { sessionId: "s", toolCallId: "c1~2" });
    expect(toAgent.at(-1)).toMatchObject({ params: { toolCallId: "c1" } });
  });
});

describe("order", () => {
  it.each([
    ["a request", { id: 90, method: "terminal/release", params: { sessionId: "s" } }],
    ["a notification of another kind", { method: "_own/note", params: {} }],
    ["an update that passes as it is", { method: "session/update", params: { sessionId: "s" } }],
    ["an answer", { id: 51, result: {} }],
  ])("settles what waits before %s", async (_, passing) => {
    const { core, toClient } = await createProxyStage();
    await core.fromClient(rpc({ id: 50, method: "session/prompt", params: prompt }));
    await core.fromClient(rpc({ id: 51, method: "_own/ask", params: {} }));
    await core.fromAgent(call({ title: "ls", status: "in_progress" }));
    const before = toClient.length;
    await core.fromAgent(more({ title: "ls -l" }));
    expect(toClient).toHaveLength(before);
    await core.fromAgent(rpc(passing));
    expect(toClient.slice(before)).toEqual([more({ title: "ls -l" }), rpc(passing)]);
  });
});

describe("what passes", () => {
  it("keeps every value of _meta, also one that is replaced while it waits", async () => {
    const { asked, updates } = await createProxyStage();
    const hear = [
      call({ title: "ls", status: "in_progress", _meta: { tool: { name: "Bash" } } }),
      more({ _meta: { tool: { name: "Bash" } } }),
      more({ _meta: { tool: { name: "Bash", stdout: "x" } } }),
      more({ status: "completed", _meta: { tool: { name: "Bash" }, other: 1 } }),
    ];
    await asked("session/prompt", prompt, ...hear);
    expect(updates().map(({ _meta: meta }) => meta)).toEqual([
      { tool: { name: "Bash" } },
      { tool: { name: "Bash", stdout: "x" } },
      { tool: { name: "Bash" }, other: 1 },
    ]);
  });

  it("keeps what stands around an update, for that update alone", async () => {
    const { asked, toClient } = await createProxyStage();
    const noted = (meta: JsonObject, fields: JsonObject): JsonObject => {
      const body = { sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields };
      return rpc({
        method: "session/update",
        params: { sessionId: "s", update: body, _meta: meta },
      });
    };
    await asked(
      "session/prompt",
      prompt,
      call({ title: "ls", status: "in_progress" }),
      more({ title: "ls -l" }),
      noted({ a: 1 }, { title: "ls -la" }),
      noted({ a: 2 }, { title: "ls -la" }),
      noted({ a: 3 }, { title: "ls -la", kind: "execute" }),
      more({ status: "completed" }),
    );
    expect(toClient.slice(1, -1)).toEqual([
      call({ title: "ls", status: "in_progress" }),
      more({ title: "ls -l" }),
      noted({ a: 1 }, { title: "ls -la" }),
      noted({ a: 2 }, { title: "ls -la" }),
      // The title is known already: the update is written again, and keeps what came with it.
      noted({ a: 3 }, { kind: "execute" }),
      more({ status: "completed" }),
    ]);
  });

  it("is the very message where nothing was merged", async () => {
    const { asked, toClient } = await createProxyStage();
    const lines = [call({ title: "ls", status: "in_progress" }), more({ status: "completed" })];
    await asked("session/prompt", prompt, ...lines);
    expect(toClient[1]).toBe(lines[0]);
    expect(toClient[2]).toBe(lines[1]);
  });
});

describe("an agent that is gone", () => {
  it("has its calls closed and its sessions idle on v2, where the prompt is long answered", async () => {
    const { asked, core, updates } = await createProxyStage(2);
    const running = update("s", { sessionUpdate: "state_update", state: "running" });
    await asked("session/prompt", prompt, running, more({ title: "ls", status: "in_progress" }));
    await core.agentEnded("the agent ended with exit code 3");
    expect(updates().slice(-2)).toEqual([
      { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" },
      {
        ...{ sessionUpdate: "state_update", state: "idle", stopReason: "error" },
        error: { code: -32603, message: "the agent ended with exit code 3" },
      },
    ]);
    expect(core.closedCalls).toBe(1);
  });
});

describe("a call that is said to have completed", () => {
  it.each([
    "$ sleep 30\nstarted\n<shell_metadata>\nUser aborted the command\n</shell_metadata>",
    "partial output\nCommand was killed by signal SIGKILL",
    "[Process terminated by signal SIGTERM]",
  ])("failed where its own content says so: %j", async (text) => {
    const { asked, updates } = await createProxyStage();
    const content = [{ type: "content", content: { type: "text", text } }];
    await asked(
      "session/prompt",
      prompt,
      call({ title: "sleep", kind: "execute", status: "in_progress" }),
      more({ status: "completed", content }),
    );
    expect(updates().at(-1)).toMatchObject({ status: "failed" });
  });

  it("did where its output merely speaks of such things", async () => {
    const { asked, updates } = await createProxyStage();
    const text = "The dinosaurs were killed by a signal event.\nSee chapter 3.";
    const content = [{ type: "content", content: { type: "text", text } }];
    await asked(
      "session/prompt",
      prompt,
      call({ title: "cat", kind: "execute", status: "in_progress" }),
      more({ status: "completed", content }),
    );
    expect(updates().at(-1)).toMatchObject({ status: "completed" });
  });
});

describe("the record", () => {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const terminal = (fields: JsonObject): JsonObject =>
    update("s", { sessionUpdate: "terminal_update", terminalId: "t", ...fields });
  const shows = more({
    ...{ title: "ls", status: "in_progress" },
    content: [{ type: "terminal", terminalId: "t" }],
  });

  it.each([
    ["after its call", [shows, terminal({ output: { data: base64("one\ntwo\n") } })]],
    ["before its call", [terminal({ output: { data: base64("one\ntwo\n") } }), shows]],
  ])("has the output that a terminal of v2 is said to show, %s", async (_, lines) => {
    const { asked, recorder, store } = await createProxyStage(2);
    const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
    const done = more({ status: "completed" });
    await asked("session/prompt", prompt, ...lines, done, update("s", idle));
    await recorder.close();
    const log = await store.open("s");
    const [runId] = await log.runIds();
    const events = runId === undefined ? [] : await log.read(runId, { after: 0 });
    expect(events.find(({ type }) => type === "call.closed")).toMatchObject({
      output: "one\ntwo\n",
    });
  });
});
