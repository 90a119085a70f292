/**
 * A permission request that is complete by itself: many clients build the question, and their rule for "always", from
 * the call in the request and from nothing else. Long texts are cut, and content is included only whole: a client may
 * apply it to the call that it shows.
 */
import { boundedText } from "../../values/bounded.js";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "../../values/json.js";

/** A command line is asked about whole; the text of a file is not. */
const wholeText = 4_096;
const cutText = 512;
const mostItems = 64;
const deepest = 8;
const wholeContent = 2_048;

/** The arguments as a question carries them: long texts by their head and tail. */
export function questionInput(input: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(input)
      .slice(0, mostItems)
      .map(([key, value]) => [key, shortValue(value, 0)]),
  );
}

function shortValue(value: JsonValue, depth: number): JsonValue {
  if (typeof value === "string") {
    return value.length <= wholeText ? value : boundedText(value, cutText);
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth > deepest) return "… left out …";
  if (isJsonList(value)) {
    return value.slice(0, mostItems).map((item) => shortValue(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostItems)
      .map(([key, item]) => [key, shortValue(item, depth + 1)]),
  );
}

/** Whether a content describes the change, and is short enough to be part of the question. */
export function isQuestionContent(content: readonly object[]): boolean {
  const hasDiff = content.some((item) => "type" in item && item.type === "diff");
  if (!hasDiff || content.length > mostItems) return false;
  let size = 0;
  for (const item of content) size += sizeWithin(item, wholeContent - size);
  return size <= wholeContent;
}

/** About how long a value is; it stops counting beyond the limit. */
function sizeWithin(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 4;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    if (size > limit) return size;
    size += key.length + 3 + sizeWithin(item, limit - size);
  }
  return size;
}

/** The fields of a call in a question: those that the client gets anyway, as far as a question has them. */
export function questionFields(call: {
  readonly title?: JsonValue | undefined;
  readonly kind?: JsonValue | undefined;
  readonly rawInput?: JsonValue | undefined;
  readonly content?: JsonValue | undefined;
}): JsonObject {
  const { title, kind, rawInput, content } = call;
  const items = isJsonList(content) ? content.filter(isJsonObject) : [];
  return {
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
    ...(isJsonObject(rawInput) ? { rawInput: questionInput(rawInput) } : {}),
    ...(isJsonList(content) && isQuestionContent(items) ? { content } : {}),
  };
}
