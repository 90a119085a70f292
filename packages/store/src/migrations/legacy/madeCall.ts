/** The calls in an assistant's message, and the content as it is kept now: every call under `id`, by its new name. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { jsonIn } from "./olderRow.js";
import { callIdOf, resultPartsOf } from "./toolResult.js";

export interface MadeCall {
  readonly callId: string;
  /** As it was called then. */
  readonly name: string;
  readonly arguments: JsonValue;
}

export type ToolNames = Readonly<Record<string, string>>;

/** Tools that were renamed when their results left the messages. */
export const renamedTools: ToolNames = {
  api_news_fetch_headlines: "get_news_headlines",
  core_web_search: "web_search",
  core_web_read_web_pages: "web_read",
  data_user_lists_create: "create_user_list",
  seo_check_meta_titles: "check_meta_titles",
};

const callTypes: readonly JsonValue[] = ["tool_call", "tool_use", "function_call"];

export function madeContentOf(
  content: JsonValue | undefined,
  messageId: string,
  names: ToolNames,
): { readonly content: readonly JsonObject[]; readonly calls: readonly MadeCall[] } {
  const calls: MadeCall[] = [];
  const adopted = resultPartsOf(content).map((part, index): JsonObject => {
    if (!isJsonObject(part)) return { type: "text", text: String(part) };
    if (part.type === undefined || !callTypes.includes(part.type)) return part;
    const call = madeCallOf(part, `${messageId}/${index}`);
    calls.push(call);
    const { call_id: _, input: __, args: ___, ...rest } = part;
    return {
      ...rest,
      type: "tool_call",
      id: call.callId,
      name: names[call.name] ?? call.name,
      arguments: call.arguments,
    };
  });
  return { content: adopted, calls };
}

function madeCallOf(part: JsonObject, ownId: string): MadeCall {
  const { name } = part;
  return {
    callId: callIdOf(part) ?? ownId,
    name: typeof name === "string" && name !== "" ? name : "unknown_tool",
    arguments: argumentsOf(part.arguments ?? part.input ?? part.args),
  };
}

function argumentsOf(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return {};
  if (typeof value !== "string") return value;
  const inside = jsonIn(value);
  return isJsonObject(inside) || isJsonList(inside) ? inside : { text: value };
}
