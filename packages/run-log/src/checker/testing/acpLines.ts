/** ACP lines as agents and clients send them, and what the checker finds in them, in brief. */
import { checkStream } from "../checker.js";

export const check = (...lines: readonly object[]): readonly string[] =>
  checkStream(lines.map((line) => JSON.stringify(line)).join("\n")).findings.map(
    ({ line, rule, callId, severity }) =>
      [line, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );

export const rpc = (fields: object) => ({ jsonrpc: "2.0", ...fields });
export const update = (fields: object, sessionId = "s1") =>
  rpc({ method: "session/update", params: { sessionId, update: fields } });
export const v1 = rpc({ id: 0, result: { protocolVersion: 1 } });
export const v2 = rpc({ id: 0, result: { protocolVersion: 2 } });
export const created = rpc({ id: 1, result: { sessionId: "s1" } });
export const opened = update({
  sessionUpdate: "tool_call",
  toolCallId: "c1",
  title: "ls",
  status: "pending",
});
export const updated = (fields: object) =>
  update({ sessionUpdate: "tool_call_update", toolCallId: "c1", ...fields });
export const text = (words: string) => ({
  type: "content",
  content: { type: "text", text: words },
});
export const spoken = (words: string) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } });
export const answered = (stopReason: string, id = 2) => rpc({ id, result: { stopReason } });
export const prompted = rpc({
  id: 2,
  method: "session/prompt",
  params: { sessionId: "s1", prompt: [] },
});
export const asked = (fields: object = {}) =>
  rpc({
    id: 0,
    method: "session/request_permission",
    params: {
      sessionId: "s1",
      toolCall: { toolCallId: "c1", ...fields },
      options: [
        { optionId: "yes", kind: "allow_once", name: "Yes" },
        { optionId: "no", kind: "reject_once", name: "No" },
      ],
    },
  });
