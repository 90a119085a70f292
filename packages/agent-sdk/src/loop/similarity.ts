/**
 * How similar two calls are, from 0 to 1, measured on their words and never on a digest. Another file or address is
 * another call, even if the names are similar; a rephrased question is nearly the same one. Pure, and bounded: only the
 * first characters of a long text are read.
 */
import { isJsonList, type JsonValue } from "@callboard/run-log";

const lookedAt = 4_000;

export interface Fingerprint {
  /** The paths, addresses and files in it, sorted. */
  readonly places: string;
  readonly trigrams: ReadonlySet<string>;
}

const byUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const deepest = 200;

/** JSON text that does not depend on the order of keys. Values deeper than 200 are omitted. */
export function stableJson(value: JsonValue, depth = 0): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth > deepest) return '"…"';
  if (isJsonList(value)) return `[${value.map((item) => stableJson(item, depth + 1)).join(",")}]`;
  const entries = Object.entries(value)
    .sort(([one], [other]) => byUnits(one, other))
    .map(([key, item]) => `${JSON.stringify(key)}:${stableJson(item, depth + 1)}`);
  return `{${entries.join(",")}}`;
}

/** Of a text, or of the stable JSON of a value. */
export function fingerprintOf(text: string): Fingerprint {
  const words = text
    .slice(0, lookedAt)
    .replace(/\\[nrt"]/g, " ")
    .replace(/[{}[\]",]+|:(?!\/)/g, " ")
    .toLowerCase()
    .split(/\s+/);
  const places = [...new Set(words.filter(isPlace))].sort(byUnits).join(" ");
  const rest = words.filter((word) => !isPlace(word)).join(" ");
  return { places, trigrams: trigramsOf(rest) };
}

const isPlace = (word: string): boolean =>
  (word.includes("/") && word.length > 1) || /^[\w.-]*\w\.[a-z]\w{0,5}$/.test(word);

function trigramsOf(text: string): ReadonlySet<string> {
  const padded = ` ${text.trim()} `;
  const found = new Set<string>();
  for (let index = 0; index + 3 <= padded.length; index += 1) {
    found.add(padded.slice(index, index + 3));
  }
  return found;
}

/** Calls with different places are not similar at all. */
export function similarityOf(one: Fingerprint, other: Fingerprint): number {
  return one.places === other.places ? jaccardOf(one.trigrams, other.trigrams) : 0;
}

/** For two results only the words count: if they differ in a path, they may still mean the same. */
export function answerSimilarityOf(one: Fingerprint, other: Fingerprint): number {
  return jaccardOf(one.trigrams, other.trigrams);
}

function jaccardOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const trigram of one) if (other.has(trigram)) shared += 1;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}
