/**
 * One container that is still open. Levels are reused: a container that opens where another one closed
 * takes over its level. A level knows its own container and its neighbours, nothing of the text.
 */
import type { JsonValue } from "../values/json.js";
import { addKey, copyKey, copyOf, growKey, type OpenObject } from "./keyedPlaces.js";
import { FIRST, type KnownKey } from "./knownKeys.js";

type OpenArray = JsonValue[];

/** Up to so many keys an object is copied key by key, which is faster than all at once. */
const FEW_KEYS = 2;

export class Level {
  /** Exactly one of the two is there while the level is open. */
  object: OpenObject | undefined = undefined;
  array: OpenArray | undefined = undefined;
  /** The key last added to the object. */
  key: KnownKey = FIRST;
  /** A snapshot's copy of the container; the caller must know which container it is. */
  copy: OpenObject | OpenArray | undefined = undefined;
  readonly outer: Level | undefined;
  /** There from the first time on that a container was opened in this one. */
  inner: Level | undefined = undefined;
  private firstKey: KnownKey = FIRST;
  /** How many keys were added; more than a few once one cannot be assigned. */
  private keyCount = 0;

  constructor(outer: Level | undefined) {
    this.outer = outer;
  }

  openObject(object: OpenObject): Level {
    const level = this.innerLevel();
    level.object = object;
    level.array = undefined;
    level.keyCount = 0;
    return level;
  }

  openArray(array: OpenArray): Level {
    const level = this.innerLevel();
    level.object = undefined;
    level.array = array;
    return level;
  }

  /** Where the value last placed sits in the container; "" when none is open. */
  get lastStep(): string | number {
    if (this.object !== undefined) return this.key.text;
    return this.array === undefined ? "" : this.array.length - 1;
  }

  /** Puts a longer form of the string last placed in its stead. */
  growTo(text: string): void {
    const { object, array, key } = this;
    if (object !== undefined) growKey(object, key.text, text, key.growthPlace);
    else if (array !== undefined) array[array.length - 1] = text;
  }

  /** Puts the copy of the container last placed in its stead. */
  replaceLast(copy: OpenObject | OpenArray): void {
    const { object, array, key } = this;
    if (object !== undefined) object[key.text] = copy;
    else if (array !== undefined) array[array.length - 1] = copy;
  }

  /** Called for each key that is added to the object. */
  noteKey(key: KnownKey): void {
    if (this.keyCount === 0) this.firstKey = key;
    this.keyCount += key.isPlain ? 1 : FEW_KEYS + 1;
    this.key = key;
  }

  /** A copy of the innermost container. */
  copyInnermost(): OpenObject | OpenArray {
    const { object, array, key } = this;
    return array === undefined ? copyOf(object ?? {}, key.place) : array.slice();
  }

  /** A copy of a container around another, whose own copy takes its place. */
  copyAround(inner: OpenObject | OpenArray): OpenObject | OpenArray {
    const { array, key } = this;
    if (array !== undefined) {
      const items = array.slice();
      items[items.length - 1] = inner;
      return items;
    }
    const object = this.object ?? {};
    if (this.keyCount > FEW_KEYS) {
      const copy = copyOf(object, key.place);
      addKey(copy, key.text, inner, key.place);
      return copy;
    }
    const copy: OpenObject = {};
    const first = this.firstKey;
    if (this.keyCount === FEW_KEYS) copyKey(object, copy, first.text, first.place);
    addKey(copy, key.text, inner, key.place);
    return copy;
  }

  /** What a copy of the container has in place of the value last added. */
  lastOf(copy: OpenObject | OpenArray): JsonValue | undefined {
    return Array.isArray(copy) ? copy[copy.length - 1] : copy[this.key.text];
  }

  private innerLevel(): Level {
    this.inner ??= new Level(this);
    return this.inner;
  }
}
