/**
 * The keys met lately, by every reader together: tools are called again and again with the same ones.
 * Each is kept as the very string the engine keeps property names under, which it finds much faster
 * than an equal one cut from a chunk. Bounded: when there are too many, all are forgotten, and a long
 * key is never kept.
 */
import { SHARED_GROWTH_PLACE, SHARED_PLACE } from "./keyedPlaces.js";

export interface KnownKey {
  readonly text: string;
  /** Whether assigning makes the key an object's own; not so for `__proto__` and its like. */
  readonly isPlain: boolean;
  /** See `keyedPlaces`; the keys met first have their own. */
  readonly place: number;
  /** The same for growing; those under which strings grew first have their own. */
  growthPlace: number;
  /** The rest of the key in the text after its opening quote, with the closing one; "" if the key was never expected. */
  readonly source: string;
  /** The key that came after it the last time and is likely to come again; only ever one that is kept. */
  next: KnownKey | undefined;
}

const MOST_KEYS = 1024;
const LONGEST_KEY = 64;
const UNPLACED = -1;

const known = new Map<string, KnownKey>();
/** Under how many keys strings have grown. */
let grown = 0;

/** The position before the first key of a text. */
export const FIRST: KnownKey = knownKeyOf("");

export function knownKeyOf(text: string): KnownKey {
  return known.get(text) ?? learn(text);
}

/** Expects `key` after `before` from now on. */
export function link(before: KnownKey, key: KnownKey): void {
  if (key.source !== "") before.next = key;
}

/** Called for a key under which a string starts to grow. */
export function noteGrowth(key: KnownKey): void {
  if (key.growthPlace !== UNPLACED) return;
  key.growthPlace = Math.min(grown, SHARED_GROWTH_PLACE);
  grown++;
}

function learn(text: string): KnownKey {
  const name = Object.keys({ [text]: 0 })[0] ?? text;
  const isKept = name.length <= LONGEST_KEY;
  if (isKept && known.size >= MOST_KEYS) forgetAll();
  const key: KnownKey = {
    text: name,
    isPlain: !(name in Object.prototype),
    place: isKept ? Math.min(known.size, SHARED_PLACE) : SHARED_PLACE,
    growthPlace: UNPLACED,
    source: isKept ? sourceOf(name) : "",
    next: undefined,
  };
  if (isKept) known.set(name, key);
  return key;
}

/** The plain way to write a key; "" when it takes an escape, which can be written in several ways. */
function sourceOf(name: string): string {
  const quoted = JSON.stringify(name);
  return quoted.length === name.length + 2 ? quoted.slice(1) : "";
}

/** The links are removed too: otherwise one old key in use would keep every later one in memory. */
function forgetAll(): void {
  for (const key of known.values()) key.next = undefined;
  FIRST.next = undefined;
  known.clear();
}
