/**
 * What a client has after a talk: every field of its calls, and every value of `_meta` in the order of telling. Clients
 * apply a question like an update of its call.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { createAcpClient } from "@callboard/testkit";

export const updateIn = ({ params }: JsonObject): JsonObject => Object(Object(params).update);
export const toolCallIn = ({ params }: JsonObject): JsonObject | undefined => {
  const { toolCall, subject } = Object(params);
  return toolCall ?? subject?.toolCall;
};
function updatesIn(messages: readonly JsonObject[]): readonly JsonObject[] {
  return messages.flatMap((message) => {
    const toolCall = toolCallIn(message);
    if (toolCall) return [{ ...toolCall, sessionUpdate: "tool_call_update" }];
    return message.method === "session/update" ? [updateIn(message)] : [];
  });
}

export function stateAfter(messages: readonly JsonObject[]) {
  const client = createAcpClient();
  for (const update of updatesIn(messages)) client.apply(update);
  return client.state;
}

const appended: ReadonlySet<string> = new Set(["terminal_output", "terminal_output_delta"]);

/** Each value of each key of `_meta` in the order of telling; output is read as one text, however it is cut. */
export function metaIn(
  messages: readonly JsonObject[],
): Readonly<Record<string, readonly string[]>> {
  const told: Record<string, readonly string[]> = {};
  for (const { toolCallId, _meta: meta } of updatesIn(messages)) {
    for (const [key, value] of Object.entries(Object(meta))) {
      const name = `${String(toolCallId)} ${key}`;
      const before = told[name] ?? [];
      const text = JSON.stringify(value);
      if (appended.has(key)) told[name] = [(before[0] ?? "") + String(Object(value).data)];
      else if (before.at(-1) !== text) told[name] = [...before, text];
    }
  }
  return told;
}

/** A raw value with the texts that it only points at, where the content does show them. */
export function whole(told: JsonValue, original: JsonValue | undefined, shown: string): JsonValue {
  if (typeof told === "string" && typeof original === "string") {
    const isPointer = told === `… ${original.length} characters, shown in the content …`;
    return isPointer && shown.includes(original.trimEnd()) ? original : told;
  }
  if (isJsonList(told)) return told.map((item, at) => whole(item, Object(original)[at], shown));
  if (!isJsonObject(told)) return told;
  return Object.fromEntries(
    Object.entries(told).map(([key, item]) => [key, whole(item, Object(original)[key], shown)]),
  );
}

export function shownIn(content: JsonValue | undefined): string {
  const items = isJsonList(content) ? content : [];
  return items.map((item) => Object(item).newText ?? Object(item).content?.text ?? "").join("\n");
}
