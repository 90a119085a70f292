/**
 * One copy of a long text if a call would contain it twice: raw arguments that a diff shows, raw output that the content
 * shows. A note with the position replaces the second copy.
 */
import { isJsonList, isJsonObject, type JsonValue } from "@callboard/run-log";
import { plainTextOf } from "./contentSizes.js";

/** Shorter texts are cheaper to repeat than to point at. */
const worthSharing = 200;
const deepest = 8;

/** The long texts of the content: those of diffs for raw input, those people read for raw output. */
export function textsIn(
  content: readonly JsonValue[],
  field: "rawInput" | "rawOutput",
): ReadonlySet<string> {
  const texts = content.flatMap((item) => {
    const text = field === "rawOutput" ? plainTextOf(item) : undefined;
    return [...(text === undefined ? [] : [text, fenced(text)]), ...diffTexts(item)];
  });
  return new Set(texts.filter((text) => text.length >= worthSharing).map(trimmed));
}

/** The content of a fence, if the text is one: agents show output as a block of Markdown. */
function fenced(text: string): string {
  return /^```[^\n`]*\n([\s\S]*)\n```\s*$/.exec(text)?.[1] ?? "";
}

function diffTexts(item: JsonValue): readonly string[] {
  if (!isJsonObject(item) || item.type !== "diff") return [];
  return [item.oldText, item.newText].filter((text) => typeof text === "string");
}

export function sharedRaw(
  value: JsonValue,
  shown: ReadonlySet<string>,
  depth: number = 0,
): JsonValue {
  if (shown.size === 0 || depth > deepest) return value;
  if (typeof value === "string") {
    const isShown = value.length >= worthSharing && shown.has(trimmed(value));
    return isShown ? `… ${value.length} characters, shown in the content …` : value;
  }
  if (isJsonList(value)) return value.map((item) => sharedRaw(item, shown, depth + 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, sharedRaw(item, shown, depth + 1)]),
  );
}

/** Agents add or drop the last line break. */
function trimmed(text: string): string {
  return text.trimEnd();
}
