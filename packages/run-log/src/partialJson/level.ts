/**
 * One container that is still open. Levels are reused: a container that opens where another one closed
 * takes over its level. A level knows its own container and the level around it, nothing else.
 */
import type { JsonValue } from "../json.js";
import { copyOf, growKey, type OpenObject, replaceCopied } from "./keyedPlaces.js";
import { FIRST, type KnownKey } from "./knownKeys.js";

type OpenArray = JsonValue[];

export class Level {
  /** Exactly one of the two is there while the level is open. */
  object: OpenObject | undefined = undefined;
  array: OpenArray | undefined = undefined;
  /** The key last added to the object. */
  key: KnownKey = FIRST;
  /** The latest snapshot's copy of the container. */
  copy: OpenObject | OpenArray | undefined = undefined;
  readonly outer: Level | undefined;
  private inner: Level | undefined = undefined;

  constructor(outer: Level | undefined) {
    this.outer = outer;
  }

  openObject(object: OpenObject): Level {
    const level = this.innerLevel();
    level.object = object;
    level.array = undefined;
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

  /** Renews the copy of the innermost container. */
  copyInnermost(): OpenObject | OpenArray {
    const { object, array, key } = this;
    this.copy = array === undefined ? copyOf(object ?? {}, key.place) : array.slice();
    return this.copy;
  }

  /** Renews the copy of a container around another, whose own copy takes its place. */
  copyAround(inner: OpenObject | OpenArray): OpenObject | OpenArray {
    const { object, array, key } = this;
    if (array !== undefined) {
      const items = array.slice();
      items[items.length - 1] = inner;
      this.copy = items;
      return items;
    }
    const copy = copyOf(object ?? {}, key.place);
    replaceCopied(copy, key.text, inner, key.place);
    this.copy = copy;
    return copy;
  }

  private innerLevel(): Level {
    this.inner ??= new Level(this);
    return this.inner;
  }
}
