/** A call that was given another name has it in every message that names it, both ways. */
import type { JsonObject } from "@callboard/run-log";
import { expect, it } from "vitest";
import { createProxyStage, rpc, update } from "../testing/proxyStage.js";

const prompt = { sessionId: "s", prompt: [] };
const more = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
const state = (fields: JsonObject): JsonObject =>
  update("s", { sessionUpdate: "state_update", ...fields });
const idle = state({ state: "idle", stopReason: "end_turn" });
const working = more({
  ...{ title: "ls", status: "in_progress" },
  content: [{ type: "terminal", terminalId: "c1" }],
});
const request = (method: string, fields: JsonObject): JsonObject =>
  rpc({ id: 60, method, params: { sessionId: "s", ...fields } });

/** A stage of v2 whose second call has the id of the first one. */
async function renamedStage() {
  const stage = await createProxyStage(2);
  await stage.asked("session/prompt", prompt, working, more({ status: "completed" }), idle);
  await stage.core.fromClient(rpc({ id: 51, method: "session/prompt", params: prompt }));
  await stage.hear(working);
  return stage;
}

it.each([
  [
    "a form",
    request("elicitation/create", { toolCallId: "c1", mode: "form" }),
    { toolCallId: "c1~2", mode: "form" },
  ],
  [
    "a question about a command",
    request("session/request_permission", {
      subject: { type: "command", command: "ls", toolCallId: "c1", terminalId: "c1" },
    }),
    { subject: { type: "command", command: "ls", toolCallId: "c1~2", terminalId: "c1~2" } },
  ],
  [
    "a state with what continues in the background",
    state({ state: "idle", background: [{ type: "tool_call", toolCallId: "c1" }] }),
    {
      update: {
        ...{ sessionUpdate: "state_update", state: "idle" },
        background: [{ type: "tool_call", toolCallId: "c1~2" }],
      },
    },
  ],
  [
    "a terminal that is appended to its content",
    update("s", {
      ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: "c1" },
      content: { type: "terminal", terminalId: "c1" },
    }),
    {
      update: {
        ...{ sessionUpdate: "tool_call_content_chunk", toolCallId: "c1~2" },
        content: { type: "terminal", terminalId: "c1~2" },
      },
    },
  ],
])("the client has it in %s", async (_, message, expected) => {
  const { hear, toClient } = await renamedStage();
  await hear(message);
  expect(toClient.at(-1)).toMatchObject({ params: { sessionId: "s", ...expected } });
});

it("a question about a command is never under the name of a call that has ended", async () => {
  const { asked, hear, toClient } = await createProxyStage(2);
  await asked("session/prompt", prompt, working, more({ status: "completed" }), idle);
  const subject = { type: "command", command: "rm -rf /", toolCallId: "c1" };
  await hear(request("session/request_permission", { subject }));
  expect(toClient.at(-1)).toMatchObject({
    params: { subject: { ...subject, toolCallId: "c1~2" } },
  });
});

it("the agent has its own where the client cancels the terminal", async () => {
  const { core, toAgent } = await renamedStage();
  await core.fromClient(request("terminal/cancel", { terminalId: "c1~2" }));
  expect(toAgent.at(-1)).toMatchObject({ params: { sessionId: "s", terminalId: "c1" } });
});

it("a message that names nothing renamed is the very message", async () => {
  const { hear, toClient } = await createProxyStage(2);
  const form = request("elicitation/create", { toolCallId: "c9", mode: "form" });
  await hear(form);
  expect(toClient.at(-1)).toBe(form);
});
