/**
 * Content of any size in updates of bounded size: growing texts are shown by their end, huge ones by
 * head and tail, appended ones in pieces. Sizes are counted by walking, never by serialising.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { boundedText } from "@callboard/run-log/values";
import { cutDiff, hunkedItems } from "./boundedDiffs.js";

export interface ContentLimits {
  /** How much of a text's end is shown while it is replaced again and again. */
  readonly window: number;
  /** How many characters of text the content of one update carries. */
  readonly maxText: number;
  /** Items cut so that each carries at most `maxText`. */
  readonly cut: (items: readonly JsonValue[]) => readonly JsonValue[];
}

export function createContentLimits(window: number, maxText: number): ContentLimits {
  return {
    window,
    maxText,
    cut: (items) => items.flatMap((item) => contentPiecesOf(item, maxText)),
  };
}

/** Texts continue in the next piece; other large values are cut. */
function contentPiecesOf(item: JsonValue, maxText: number): readonly JsonValue[] {
  const text = blockOf(item)?.text;
  if (typeof text !== "string") return boundedContent([item], maxText);
  if (text.length <= maxText) return [item];
  return textPieces(text, maxText).map((piece) => withText(item, piece));
}

/** A pair of surrogates is never cut in half. */
function textPieces(text: string, length: number): readonly string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== ""; rest = rest.slice(pieces.at(-1)?.length)) {
    pieces.push(headOf(rest, length));
  }
  return pieces;
}

/** The first characters, whole ones, and at least one. */
export function headOf(text: string, length: number): string {
  const isPair = (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, isPair ? Math.max(2, length - 1) : length);
}

/** `isGrowing` shows only the end of long texts: the whole comes with the call's end. */
export function windowedContent(
  items: readonly JsonValue[],
  { window, maxText }: ContentLimits,
  isGrowing: boolean,
): readonly JsonValue[] {
  const isLong = (item: JsonValue) => (plainTextOf(item)?.length ?? 0) > window;
  if (!isGrowing || !items.some(isLong)) return boundedContent(items, maxText);
  const shown = items.map((item) => {
    const text = plainTextOf(item);
    return text === undefined || text.length <= window
      ? item
      : withText(item, `…${lastCharsOf(text, window)}`);
  });
  return boundedContent(shown, maxText);
}

/** Words of the protocol, names and short texts are never cut. */
const shortText = 64;
/** Pictures and sounds cannot be cut; beyond so many times `maxText` a note replaces them. */
const binaryShare = 64;
const binaryKeys: ReadonlySet<string> = new Set(["data", "blob"]);

/** The long texts share `maxText`, each with its head and tail; too many items lose their middle. */
export function boundedContent(items: readonly JsonValue[], maxText: number): readonly JsonValue[] {
  const kept = boundedItems(items, Math.max(2, Math.ceil(maxText / shortText)));
  const sizes = measured(kept);
  const total = sizes.texts.reduce((sum, size) => sum + size, 0);
  const isTooBinary = sizes.binary > maxText * binaryShare;
  const isBounded = (told: readonly JsonValue[]) => charsIn(told) - sizes.binary <= 4 * maxText;
  if (total <= maxText && !isTooBinary && isBounded(kept)) return kept;
  const cut = total <= maxText ? kept : cutTexts(kept, maxText);
  const told = isTooBinary ? cut.map((item) => (isBinary(item) ? binaryNote(item) : item)) : cut;
  // No client shows an item with this many parts.
  return isBounded(told) ? told : [noteOf(`… ${items.length} items left out …`)];
}

/** Diffs are cut to their hunks first; texts are cut only if that is not enough. */
function cutTexts(items: readonly JsonValue[], maxText: number): readonly JsonValue[] {
  const hunked = items.flatMap(hunkedItems);
  const { texts } = measured(hunked);
  if (texts.reduce((sum, size) => sum + size, 0) <= maxText) return hunked;
  const most = shareOf(texts, maxText);
  return hunked.flatMap((item) => cutDiff(item, most) ?? [withShortTexts(item, "", most)]);
}

function boundedItems(items: readonly JsonValue[], most: number): readonly JsonValue[] {
  if (items.length <= most) return items;
  const half = Math.floor(most / 2);
  const note = noteOf(`… ${items.length - 2 * half} items left out …`);
  return [...items.slice(0, half), note, ...items.slice(-half)];
}

/** The first items that fit; whole ones. */
export function fittingItems(items: readonly JsonValue[], maxText: number): readonly JsonValue[] {
  let size = 0;
  const end = items.findIndex((item) => {
    size += sizeOf(item);
    return size > maxText;
  });
  return end === -1 ? items : items.slice(0, end);
}

/** The maximum of each text, so that all together fit the budget. */
function shareOf(sizes: readonly number[], budget: number): number {
  let left = budget;
  const rising = sizes.toSorted((one, other) => one - other);
  for (const [index, size] of rising.entries()) {
    const share = Math.floor(left / (rising.length - index));
    if (size > share) return Math.max(shortText, share);
    left -= size;
  }
  return budget;
}

interface Sizes {
  readonly texts: number[];
  binary: number;
}

function measured(items: readonly JsonValue[]): Sizes {
  const sizes: Sizes = { texts: [], binary: 0 };
  for (const item of items) measure(item, "", sizes);
  return sizes;
}

function measure(value: JsonValue, key: string, sizes: Sizes): void {
  if (typeof value === "string") {
    if (binaryKeys.has(key)) sizes.binary += value.length;
    else if (value.length > shortText) sizes.texts.push(value.length);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) measure(item, name, sizes);
}

function withShortTexts(value: JsonValue, key: string, most: number): JsonValue {
  if (typeof value === "string") return binaryKeys.has(key) ? value : boundedText(value, most);
  if (isJsonList(value)) return value.map((item) => withShortTexts(item, "", most));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withShortTexts(item, name, most)]),
  );
}

function isBinary(item: JsonValue): boolean {
  return measured([item]).binary > 0;
}

function binaryNote(item: JsonValue): JsonValue {
  return noteOf(`… ${sizeOf(item)} characters of data left out …`);
}

function noteOf(text: string): JsonValue {
  return { type: "content", content: { type: "text", text } };
}

function charsIn(items: readonly JsonValue[]): number {
  return items.reduce((sum: number, item) => sum + sizeOf(item), 0);
}

function lastCharsOf(text: string, length: number): string {
  const end = text.slice(-length);
  return /^[\uDC00-\uDFFF]/.test(end) ? end.slice(1) : end;
}

/** Neighbouring texts are joined: chunks may have been cut anywhere. */
export function joinedItems(
  items: readonly JsonValue[],
  more: readonly JsonValue[],
): readonly JsonValue[] {
  const joined = [...items];
  for (const item of more) {
    const last = joined.at(-1);
    const before = last === undefined ? undefined : plainTextOf(last);
    const text = plainTextOf(item);
    if (last === undefined || before === undefined || text === undefined) joined.push(item);
    else joined[joined.length - 1] = withText(last, before + text);
  }
  return joined;
}

/** The text of a plain text item; undefined for an item with other fields. */
export function plainTextOf(item: JsonValue | undefined): string | undefined {
  const block = blockOf(item);
  if (typeof block?.text !== "string") return undefined;
  return Object.keys(block).length === 2 ? block.text : undefined;
}

/** The text block of an item, with its other fields. */
function blockOf(item: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(item)) return undefined;
  const block = item.type === "content" && isJsonObject(item.content) ? item.content : item;
  return block.type === "text" ? block : undefined;
}

function withText(item: JsonValue, text: string): JsonValue {
  if (!isJsonObject(item)) return item;
  return item.type === "content" && isJsonObject(item.content)
    ? { ...item, content: { ...item.content, text } }
    : { ...item, text };
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
