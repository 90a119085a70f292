/** Lines of an ACP session, and what one reads out of them. */
import type { JsonObject } from "@callboard/run-log";

export type AcpLine = JsonObject | string;
export type AcpLife = readonly AcpLine[];

export const rpc = (fields: JsonObject): JsonObject => ({ jsonrpc: "2.0", ...fields });
export const sessionId = "s1";
export const update = (fields: JsonObject, session = sessionId): JsonObject =>
  rpc({ method: "session/update", params: { sessionId: session, update: fields } });
export const text = (words: string): JsonObject => ({
  type: "content",
  content: { type: "text", text: words },
});
export const said = (words: string): JsonObject =>
  update({
    ...{ sessionUpdate: "agent_message_chunk", messageId: "m1" },
    content: { type: "text", text: words },
  });

export const updateBodyOf = (line: AcpLine): JsonObject =>
  Object(Object(Object(line).params).update);
/** The call that a permission request of v1 is about. */
export const askedIdOf = (line: AcpLine): unknown =>
  Object(Object(Object(line).params).toolCall).toolCallId;
export const callIdOf = (line: AcpLine): unknown => updateBodyOf(line).toolCallId;
export const hasBody = (line: AcpLine, test: (body: JsonObject) => boolean): boolean =>
  callIdOf(line) !== undefined && test(updateBodyOf(line));
export const withBody = (line: AcpLine, fields: Readonly<Record<string, unknown>>): JsonObject =>
  update(JSON.parse(JSON.stringify({ ...updateBodyOf(line), ...fields })));
export const moreOf = (id: unknown, fields: JsonObject): JsonObject =>
  update({ sessionUpdate: "tool_call_update", toolCallId: String(id), ...fields });
