/** Chat messages as Mistral takes them: its own kind of ids, and an answer between a tool's and a user's message. */
import { createHash } from "node:crypto";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { textAt } from "../utils/jsonFields.js";

export function mistralMessages(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.flatMap((message, index) => {
    const followsTool = textAt(messages[index - 1], "role") === "tool";
    const own = withShortIds(message);
    if (textAt(message, "role") !== "user" || !followsTool) return [own];
    return [{ role: "assistant", content: "Done." }, own];
  });
}

function withShortIds(message: JsonObject): JsonObject {
  const id = textAt(message, "tool_call_id");
  if (id !== undefined) return { ...message, tool_call_id: shortId(id) };
  const calls = message.tool_calls;
  return isJsonList(calls) ? { ...message, tool_calls: calls.map(withShortId) } : message;
}

function withShortId(call: JsonValue): JsonValue {
  return isJsonObject(call) ? { ...call, id: shortId(textAt(call, "id") ?? "") } : call;
}

function shortId(id: string): string {
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return id;
  return createHash("sha256").update(id).digest("hex").slice(0, 9);
}
