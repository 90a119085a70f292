/**
 * The keys met lately, by every reader together: tools are called again and again with the same ones.
 * Each is kept as the very string the engine keeps property names under, which it finds much faster
 * than an equal one cut from a chunk. Bounded: when there are too many, all are forgotten, and a long
 * key is never kept.
 */
import { placeOf } from "./keyedPlaces.js";

export interface KnownKey {
  readonly text: string;
  /** Whether assigning makes the key an object's own; not so for `__proto__` and its like. */
  readonly isPlain: boolean;
  /** See `keyedPlaces`. */
  readonly place: number;
  /** How the key goes on in text after its opening quote, colon included; "" when none is expected. */
  readonly source: string;
  /** The key that came after it the last time and is likely to come again; only ever one that is kept. */
  next: KnownKey | undefined;
}

const MOST_KEYS = 1024;
const LONGEST_KEY = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is sought
const NEEDS_ESCAPE = /["\\\0-\x1f]/;

const known = new Map<string, KnownKey>();

/** Stands before the first key of a text. */
export const FIRST: KnownKey = keyOf("");

export function keyOf(text: string): KnownKey {
  return known.get(text) ?? learn(text);
}

/** Expects `key` after `before` from now on. */
export function link(before: KnownKey, key: KnownKey): void {
  if (key.source !== "") before.next = key;
}

function learn(text: string): KnownKey {
  const name = Object.keys({ [text]: 0 })[0] ?? text;
  const isKept = name.length <= LONGEST_KEY;
  const key: KnownKey = {
    text: name,
    isPlain: !(name in Object.prototype),
    place: placeOf(name),
    source: isKept && !NEEDS_ESCAPE.test(name) ? `${name}":` : "",
    next: undefined,
  };
  if (!isKept) return key;
  if (known.size >= MOST_KEYS) forgetAll();
  known.set(name, key);
  return key;
}

/** The links go too: one old key that somebody holds would keep every later one alive. */
function forgetAll(): void {
  for (const key of known.values()) key.next = undefined;
  FIRST.next = undefined;
  known.clear();
}
