/** The content of a message of role `tool` when results were in messages: of which call, the result, and whether it failed. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { jsonIn } from "./olderRow.js";

export interface OlderResult {
  readonly callId: string | null;
  readonly name: string | null;
  readonly output: string;
  readonly outputType: "text" | "json";
  readonly isError: boolean;
  /** The part, as far as the other fields do not say it word for word. */
  readonly rest: JsonValue;
}

/** Content was a list of parts, one part, a text, or the JSON of any of these. */
export function resultPartsOf(content: JsonValue | undefined): readonly JsonValue[] {
  if (content === undefined || content === null) return [];
  if (isJsonList(content)) return content;
  if (typeof content !== "string") return [content];
  const inside = jsonIn(content);
  if (isJsonList(inside)) return inside;
  return isJsonObject(inside) ? [inside] : [{ type: "text", text: content }];
}

/** Parts that name no call are one result together: that of the only call, or of the next one without. */
export function resultsOf(content: JsonValue | undefined): readonly OlderResult[] {
  const parts = resultPartsOf(content);
  const named = parts.filter(isNamed).map(olderResultOf);
  const others = parts.filter((part) => !isNamed(part));
  return others.length === 0 ? named : [...named, unnamedResult(others)];
}

const resultTypes: readonly JsonValue[] = [
  "tool_result",
  "function_response",
  "function_call_output",
];

function isNamed(part: JsonValue): part is JsonObject {
  if (!isJsonObject(part)) return false;
  return callIdOf(part) !== null || (part.type !== undefined && resultTypes.includes(part.type));
}

const callIdKeys = ["call_id", "tool_call_id", "tool_use_id", "id"] as const;

export function callIdOf(part: JsonObject): string | null {
  for (const key of callIdKeys) {
    const value = part[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return null;
}

const outputKeys = ["content", "output", "result", "response", "error", "text"] as const;
const toldKeys: readonly string[] = ["type", ...callIdKeys, "name", "tool_name", "is_error"];

function olderResultOf(part: JsonObject): OlderResult {
  const key = outputKeys.find((one) => part[one] !== undefined && part[one] !== null);
  const others = Object.fromEntries(
    Object.entries(part).filter(([name]) => !toldKeys.includes(name)),
  );
  const value = key === undefined ? others : part[key];
  const name = part.name ?? part.tool_name;
  const isVerbatim = key !== undefined && typeof value === "string";
  const { [key ?? ""]: _told, ...rest } = part;
  return {
    callId: callIdOf(part),
    name: typeof name === "string" ? name : null,
    ...olderOutputOf(value ?? ""),
    isError: part.is_error === true || (part.error !== undefined && part.error !== null),
    rest: isVerbatim ? rest : part,
  };
}

function unnamedResult(parts: readonly JsonValue[]): OlderResult {
  const [only] = parts;
  const value = parts.length === 1 && only !== undefined && !isTextPart(only) ? only : parts;
  return { callId: null, name: null, ...olderOutputOf(value), isError: false, rest: parts };
}

/** A text as it is, texts put together, anything else as JSON. */
function olderOutputOf(value: JsonValue): Pick<OlderResult, "output" | "outputType"> {
  const text = plainTextOf(value);
  if (text === undefined) return { output: JSON.stringify(value), outputType: "json" };
  const inside = jsonIn(text);
  const isJson = isJsonObject(inside) || isJsonList(inside);
  return { output: text, outputType: isJson ? "json" : "text" };
}

function plainTextOf(value: JsonValue): string | undefined {
  if (typeof value === "string") return value;
  if (!isJsonList(value) || value.length === 0) return undefined;
  const texts = value.map((item) => (isTextPart(item) ? item.text : undefined));
  return texts.every((text) => text !== undefined) ? texts.join("") : undefined;
}

function isTextPart(value: JsonValue): value is JsonObject & { readonly text: string } {
  return isJsonObject(value) && value.type === "text" && typeof value.text === "string";
}
