/**
 * Content of any size in updates of bounded size: growing texts are shown by their end, huge ones by
 * head and tail, appended ones in pieces. Sizes are counted by walking, never by serialising.
 */
import { boundedText, isJsonObject, type JsonValue } from "@callboard/run-log";

export interface ContentLimits {
  /** How much of a text's end is shown while it is replaced again and again. */
  readonly window: number;
  /** The longest text that one update carries. */
  readonly maxText: number;
  /** Items cut so that each carries at most `maxText`. */
  readonly cut: (items: readonly JsonValue[]) => readonly JsonValue[];
}

export function createContentLimits(window: number, maxText: number): ContentLimits {
  return {
    window,
    maxText,
    cut: (items) => items.flatMap((item) => piecesOf(item, maxText)),
  };
}

function piecesOf(item: JsonValue, maxText: number): readonly JsonValue[] {
  const text = textOf(item);
  if (text === undefined || text.length <= maxText) return [item];
  return textPieces(text, maxText).map((piece) => withText(item, piece));
}

/** A pair of surrogates is never cut in half. */
export function textPieces(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const isPair = (text.codePointAt(start + length - 1) ?? 0) > 0xffff;
    const end = start + (isPair ? length - 1 : length);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** `isGrowing` shows only the end of long texts: the whole comes with the call's end. */
export function windowedContent(
  items: readonly JsonValue[],
  { window, maxText }: ContentLimits,
  isGrowing: boolean,
): readonly JsonValue[] {
  const limit = isGrowing ? window : maxText;
  if (items.every((item) => (textOf(item)?.length ?? 0) <= limit)) return items;
  return items.map((item) => {
    const text = textOf(item);
    if (text === undefined || text.length <= limit) return item;
    return withText(item, isGrowing ? `…${endOf(text, window)}` : boundedText(text, maxText));
  });
}

function endOf(text: string, length: number): string {
  const end = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}

/** Texts that stand side by side become one: chunks may have been cut anywhere. */
export function joinedItems(
  items: readonly JsonValue[],
  more: readonly JsonValue[],
): readonly JsonValue[] {
  const joined = [...items];
  for (const item of more) {
    const last = joined.at(-1);
    const before = last === undefined ? undefined : textOf(last);
    const text = textOf(item);
    if (last === undefined || before === undefined || text === undefined) joined.push(item);
    else joined[joined.length - 1] = withText(last, before + text);
  }
  return joined;
}

/** The words of a plain text item; nothing for an item that says more than its words. */
export function textOf(item: JsonValue | undefined): string | undefined {
  if (!isJsonObject(item)) return undefined;
  const block = item.type === "content" && isJsonObject(item.content) ? item.content : item;
  if (block.type !== "text" || typeof block.text !== "string") return undefined;
  return Object.keys(block).length === 2 ? block.text : undefined;
}

function withText(item: JsonValue, text: string): JsonValue {
  return isJsonObject(item) && item.type === "content"
    ? { ...item, content: { type: "text", text } }
    : { type: "text", text };
}

/** About how many characters a value takes on the wire. */
export function sizeOf(value: JsonValue): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += (Array.isArray(value) ? 1 : key.length + 4) + sizeOf(item);
  }
  return size;
}
