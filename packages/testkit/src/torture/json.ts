/**
 * Searches for JSON text on which the streaming reader and `JSON.parse` disagree.
 * Each case makes a text full of hostile keys and escapes, perhaps spoils or cuts it, and feeds it in
 * random chunks. It never reads the clock: the seed alone decides the case.
 */
import { isDeepStrictEqual } from "node:util";
import { createJsonReader, type JsonResult } from "@callboard/run-log/partial-json";
import { createRandom, type Random } from "./random.js";
import type { TorturePart } from "./torturePart.js";

export const jsonTorture: TorturePart = {
  name: "json",
  promise:
    "random, spoilt and cut JSON in random chunks: the value of JSON.parse or both refuse, nothing taken back, no prototype touched",
  fullCount: 1_000_000,
  quickCount: 800,
  tryCase: tryJson,
};

const MAX_DEPTH = 5;

const KEYS = [
  "a",
  "b",
  "__proto__",
  "constructor",
  "toString",
  "prototype",
  "\\u0061",
  "\\u005f_proto__",
  "0",
  "",
  "é",
  "日本",
  "\\ud83d\\ude00",
  "😀",
  'k\\n\\"',
] as const;

const STRINGS = [
  "",
  "x",
  "plain words, [brackets] and {braces}: 1",
  '\\n\\t\\\\\\"\\/',
  "\\u00e9\\u0000\\uFFFF",
  "😀é日",
  "\\ud83d\\ude00",
  "\\ud83d",
  "\\ude00",
  "\ud83d\\ude00",
  "\\ud83d\ude00",
  "\ud83d",
  "a long run of text without anything special in it, as files have; ".repeat(2),
  'a long run with\\nescapes in it, \\"quoted\\" and \\\\slashed\\\\, \\u00e9 as well; '.repeat(2),
] as const;

const WORDS = [
  "0",
  "-0",
  "7",
  "12345678",
  "-1.50e+10",
  "1e400",
  "9007199254740993",
  "true",
  "false",
  "null",
] as const;

const GAPS = ["", "", "", "", " ", "\n", "\t\r "] as const;

const SPOILERS = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "0",
  "-",
  ".",
  "e",
  "u",
  "t",
  "\n",
  "\u0001",
  "\ud83d",
  "x",
  "\ufeff",
] as const;

function tryJson(seed: number): string | undefined {
  const random = createRandom(seed);
  const hasEqualKeys = random.int(2) === 0;
  const whole = valueText(random, hasEqualKeys, 0);
  const text = spoilt(random, whole);
  // Equal keys replace each other's values, the one thing that is taken back by right; a lost brace
  // can make equal keys of different ones.
  const mayTakeBack = hasEqualKeys || !whole.startsWith(text);
  const failure = readFailure(random, text, mayTakeBack) ?? pollution();
  return failure === undefined ? undefined : `${failure}: ${JSON.stringify(text)}`;
}

function readFailure(random: Random, text: string, mayTakeBack: boolean): string | undefined {
  const reader = createJsonReader();
  const longest = random.pick([1, 3, 8, 70]);
  const looks = random.int(2) === 0;
  let before: unknown;
  for (let at = 0; at < text.length; ) {
    const size = 1 + random.int(longest);
    reader.push(text.slice(at, at + size));
    at += size;
    if (!looks) continue;
    const after = reader.snapshot();
    if (!mayTakeBack && !hasGrown(before, after)) return `taken back before ${at}`;
    if (!isDeepStrictEqual(after, reader.value)) return `snapshot and value differ before ${at}`;
    before = after;
  }
  return difference(reader.end(), text);
}

function difference(result: JsonResult, text: string): string | undefined {
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    return result.status === "complete" ? "accepted what JSON.parse refuses" : undefined;
  }
  if (result.status !== "complete") return `refused: ${result.problem.message}`;
  return isDeepStrictEqual(result.value, expected) ? undefined : "another value than JSON.parse";
}

function pollution(): string | undefined {
  return Object.keys(Object.prototype).length === 0 ? undefined : "Object.prototype was changed";
}

/** Whether `after` shows all that `before` showed. */
function hasGrown(before: unknown, after: unknown): boolean {
  if (before === undefined) return true;
  if (typeof before === "string") return typeof after === "string" && after.startsWith(before);
  if (typeof before !== "object" || before === null) return Object.is(before, after);
  if (typeof after !== "object" || after === null) return false;
  const later = new Map(Object.entries(after));
  return Object.entries(before).every(([key, value]) => hasGrown(value, later.get(key)));
}

function valueText(random: Random, hasEqualKeys: boolean, depth: number): string {
  const kind = depth > MAX_DEPTH ? random.int(2) : random.int(4);
  if (kind === 0) return random.pick(WORDS);
  if (kind === 1) return `"${random.pick(STRINGS)}${random.pick(STRINGS)}"`;
  const parts = Array.from({ length: random.int(5) }, (_, index) => {
    const value = random.pick(GAPS) + valueText(random, hasEqualKeys, depth + 1);
    if (kind === 2) return value;
    const key = random.pick(KEYS) + (hasEqualKeys || index === 0 ? "" : `-${index}`);
    return `${random.pick(GAPS)}"${key}"${random.pick(GAPS)}:${value}`;
  });
  const body = parts.join(`${random.pick(GAPS)},`) + random.pick(GAPS);
  return kind === 2 ? `[${body}]` : `{${body}}`;
}

/** Half of the texts stay whole; the others are cut off or have one character added, lost or both. */
function spoilt(random: Random, text: string): string {
  const way = random.int(8);
  if (way < 4) return text;
  const at = random.int(text.length + 1);
  if (way === 4) return text.slice(0, at);
  const added = way === 5 ? "" : random.pick(SPOILERS);
  return text.slice(0, at) + added + text.slice(way === 6 ? at : at + 1);
}
