/**
 * One container that is still open. Levels are reused: a container that opens where another one closed
 * takes over its level. A level knows its own container and the level around it, nothing else.
 */
import type { JsonValue } from "../json.js";
import { copyObject, copyWith, mixKey } from "./copyObject.js";
import type { OpenObject } from "./keyedPlaces.js";

type OpenArray = JsonValue[];

export class Level {
  /** Exactly one of the two is there while the level is open. */
  object: OpenObject | undefined = undefined;
  array: OpenArray | undefined = undefined;
  /** Where the container sits in the one around it; the root's own step is never read. */
  step: string | number = "";
  /** The latest snapshot's copy of the container. */
  copy: OpenObject | OpenArray | undefined = undefined;
  readonly outer: Level | undefined;
  private inner: Level | undefined = undefined;
  /** See `copyObject`. */
  private mix = 0;

  constructor(outer: Level | undefined) {
    this.outer = outer;
  }

  openObject(step: string | number, object: OpenObject): Level {
    const level = this.innerLevel();
    level.object = object;
    level.array = undefined;
    level.step = step;
    level.mix = 0;
    return level;
  }

  openArray(step: string | number, array: OpenArray): Level {
    const level = this.innerLevel();
    level.object = undefined;
    level.array = array;
    level.step = step;
    return level;
  }

  /** To be told of each key the object gets. */
  noteKey(key: string): void {
    this.mix = mixKey(this.mix, key);
  }

  /** Renews the copy; `inner` is the renewed copy of the level inside, when there is one. */
  renewCopy(inner: Level | undefined): OpenObject | OpenArray {
    let copy: OpenObject | OpenArray;
    if (this.array !== undefined) {
      const items = this.array.slice();
      if (inner?.copy !== undefined) items[items.length - 1] = inner.copy;
      copy = items;
    } else if (inner?.copy === undefined || typeof inner.step === "number") {
      copy = copyObject(this.object ?? {}, this.mix);
    } else {
      copy = copyWith(this.object ?? {}, this.mix, inner.step, inner.copy);
    }
    this.copy = copy;
    return copy;
  }

  private innerLevel(): Level {
    this.inner ??= new Level(this);
    return this.inner;
  }
}
