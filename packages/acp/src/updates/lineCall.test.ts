import { expect, it } from "vitest";
import { lineCallOf } from "./lineCall.js";

const line = (params: object): object => ({ jsonrpc: "2.0", method: "session/update", params });

it.each([
  ["an update", { sessionId: "s", update: { toolCallId: "c", status: "in_progress" } }, false],
  ["its end", { sessionId: "s", update: { toolCallId: "c", status: "completed" } }, true],
  ["a denial", { sessionId: "s", update: { toolCallId: "c", status: "failed" } }, true],
  ["a question", { sessionId: "s", toolCall: { toolCallId: "c", title: "Run" } }, false],
])("%s is about its call", (_, params, isFinal) => {
  expect(lineCallOf(line(params))).toEqual({ key: '["s","c"]', isFinal });
});

it.each([
  ["words", line({ sessionId: "s", update: { sessionUpdate: "agent_message_chunk" } })],
  ["an answer", { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } }],
  ["nonsense", { params: { update: null, toolCall: 3 } }],
])("%s is about no call", (_, message) => {
  expect(lineCallOf(message)).toBe(undefined);
});
