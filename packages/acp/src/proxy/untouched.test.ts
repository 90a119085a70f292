/** What the proxy must not change: what it cannot read, what stands beside a text, and long values. */
import type { JsonObject } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createProxyStage, rpc, update } from "../testing/proxyStage.js";

const prompt = { sessionId: "s", prompt: [] };
const text = (words: string): JsonObject => ({
  type: "content",
  content: { type: "text", text: words },
});
const call = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call", toolCallId: "c1", title: "ls", ...fields });
const more = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
const terminal = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "terminal_update", terminalId: "t", ...fields });
const printed = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "terminal_output_chunk", terminalId: "t", ...fields });
const chunk = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call_content_chunk", toolCallId: "c1", ...fields });

describe("an update that the proxy cannot read", () => {
  it.each([
    ["of a kind of calls that is not known", { sessionUpdate: "tool_call_progress", share: 0.5 }],
    ["of a kind of terminals that is not known", { sessionUpdate: "terminal_bell" }],
    ["of a call whose id is a number", { sessionUpdate: "tool_call_update", toolCallId: 7 }],
    ["of a terminal without an id", { sessionUpdate: "terminal_output_chunk", data: "YQ==" }],
    [
      "with bytes that are no base64",
      { sessionUpdate: "terminal_output_chunk", terminalId: "t", data: "a-b" },
    ],
    ["with a chunk of nothing", { sessionUpdate: "tool_call_content_chunk", toolCallId: "c1" }],
  ])("passes as it is, in its place: %s", async (_, body) => {
    const { asked, toClient } = await createProxyStage();
    const odd = update("s", body);
    const [before, after] = [more({ title: "ls -l" }), more({ title: "ls -la" })];
    await asked("session/prompt", prompt, call({ status: "in_progress" }), before, odd, after);
    const at = toClient.indexOf(odd);
    expect(toClient.slice(at - 1, at + 2)).toEqual([before, odd, after]);
  });

  it.each([{ content: "words" }, { locations: "here" }, { _meta: "words", kind: "read" }])(
    "in one field has that field as it is: %j",
    async (fields) => {
      const { asked, toClient } = await createProxyStage();
      const odd = more(fields);
      await asked("session/prompt", prompt, call({ status: "in_progress" }), odd);
      expect(toClient).toContain(odd);
    },
  );
});

describe("what stands beside a text", () => {
  it("is kept with it, in its order, for chunks and terminals of v2", async () => {
    const { core, toClient } = await createProxyStage(2);
    await core.fromClient(rpc({ id: 50, method: "session/prompt", params: prompt }));
    const lines = [
      more({ title: "ls", status: "in_progress" }),
      chunk({ content: text("a"), _meta: { at: 1 } }),
      more({ _meta: { at: 2 } }),
      chunk({ content: text("b"), _meta: { at: 1 } }),
      terminal({ command: "ls", _meta: { at: 1 } }),
      terminal({ _meta: { at: 2 } }),
      printed({ data: "YQ==", _meta: { at: 3 } }),
      printed({ data: "Yg==", own: true }),
      terminal({ exitStatus: { exitCode: 0 }, _meta: { at: 4 } }),
    ];
    for (const line of lines) await core.fromAgent(line);
    await core.fromAgent(rpc({ method: "_own/note" }));
    expect(toClient.slice(-1 - lines.length, -1)).toEqual(lines);
  });
});

describe("a long value", () => {
  const long = "one line of text\n".repeat(10_000);

  it("of a call passes whole, also where another field of its update is known", async () => {
    const { asked, updates } = await createProxyStage();
    const fields = {
      content: [text(long)],
      rawOutput: { other: `${long}end` },
      _meta: { agent: { stdout: long } },
    };
    await asked(
      "session/prompt",
      prompt,
      call({ status: "in_progress" }),
      more({ title: "ls", status: "completed", ...fields }),
    );
    expect(updates().at(-1)).toEqual({
      ...{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" },
      ...fields,
    });
  });

  it("of a message is no note in its place", async () => {
    const { asked, toClient } = await createProxyStage();
    const content = { type: "image", mimeType: "image/png", data: "A".repeat(5_000_000) };
    const message = update("s", { sessionUpdate: "agent_message_chunk", content });
    await asked("session/prompt", prompt, message);
    expect(toClient.includes(message)).toBe(true);
  });
});

describe("a prompt that is refused while another one works", () => {
  const refusal = rpc({ id: 52, error: { code: -32600, message: "A turn is running." } });

  it.each([
    ["v1", 1, call({ status: "in_progress" })],
    ["v2", 2, more({ title: "ls", status: "in_progress" })],
  ] as const)("leaves the calls of that one as they are on %s", async (_, version, opening) => {
    const { core, hear, updates } = await createProxyStage(version);
    await core.fromClient(rpc({ id: 51, method: "session/prompt", params: prompt }));
    if (version === 2) {
      await hear(rpc({ id: 51, result: {} }));
      await hear(update("s", { sessionUpdate: "state_update", state: "running" }));
    }
    await hear(opening);
    await core.fromClient(rpc({ id: 52, method: "session/prompt", params: prompt }));
    await hear(refusal);
    expect(core.engine.openCalls("s")).toEqual(["c1"]);
    await hear(more({ status: "completed" }));
    expect(updates().at(-1)).toMatchObject({ toolCallId: "c1", status: "completed" });
    expect(core.closedCalls).toBe(0);
  });

  it("has calls that the earlier prompt left open closed with the answer to that one", async () => {
    const { core, hear, updates } = await createProxyStage();
    await core.fromClient(rpc({ id: 51, method: "session/prompt", params: prompt }));
    await hear(call({ status: "in_progress" }));
    await core.fromClient(rpc({ id: 52, method: "session/prompt", params: prompt }));
    await hear(rpc({ id: 51, result: { stopReason: "end_turn" } }));
    expect(updates().at(-1)).toMatchObject({ toolCallId: "c1", status: "failed" });
    expect(core.closedCalls).toBe(1);
  });
});
