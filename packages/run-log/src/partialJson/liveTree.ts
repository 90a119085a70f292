/**
 * The value read so far: every value is placed in the tree as soon as it is known, and only the spine (the containers
 * still open, root first) changes. A snapshot copies that spine and shares everything finished. Nothing here reads text,
 * recurses, or reads a string that is still growing: reading would flatten it and make each push cost its length.
 */
import type { JsonValue } from "../values/json.js";
import {
  type ChangeLog,
  CLOSE_CONTAINER,
  CLOSE_STRING,
  OPEN_ARRAY,
  OPEN_OBJECT,
  OPEN_STRING,
  type Scalar,
  SET,
} from "./changeLog.js";
import { GrowingText } from "./growingText.js";
import { addKey, type OpenObject } from "./keyedPlaces.js";
import { FIRST, type KnownKey, noteGrowth } from "./knownKeys.js";
import { Level } from "./level.js";

export class LiveTree {
  root: JsonValue | undefined = undefined;
  depth = 0;
  /** Names the next value of the innermost object. */
  key: KnownKey = FIRST;
  /** The innermost open container; a level without one when none is open. */
  private level = new Level(undefined);
  private readonly outermost = this.level;
  private readonly text = new GrowingText();
  private readonly log: ChangeLog | undefined;
  private latest: JsonValue | undefined = undefined;
  private hasChanged: boolean = false;
  /** Whether the open levels know their copies in the latest snapshot. */
  private hasNotedCopies: boolean = false;

  constructor(log: ChangeLog | undefined) {
    this.log = log;
  }

  /** The root when it is an object. */
  get rootObject(): Record<string, JsonValue> | undefined {
    const root = this.root;
    return isObject(root) ? root : undefined;
  }

  get isInObject(): boolean {
    return this.level.object !== undefined;
  }

  /** Where the value last placed sits in the innermost container. */
  get lastStep(): string | number {
    return this.level.lastStep;
  }

  /** The steps of the open containers, the root's own first. */
  openSteps(): (string | number)[] {
    const steps: (string | number)[] = [];
    for (let level = this.level.outer; level !== undefined; level = level.outer) {
      steps.push(level.lastStep);
    }
    return steps.reverse();
  }

  /** The signs that close what is open, innermost first. */
  closers(): string {
    let text = "";
    for (let level = this.level; level.outer !== undefined; level = level.outer) {
      text += level.array === undefined ? "}" : "]";
    }
    return text;
  }

  set(value: Scalar): void {
    this.place(value);
    this.log?.note(SET, this.level.lastStep, value);
  }

  openString(text: string): void {
    this.text.begin(text);
    if (this.level.object !== undefined) noteGrowth(this.key);
    this.place(text);
    this.log?.note(OPEN_STRING, this.level.lastStep, text);
  }

  appendText(text: string): void {
    this.hasChanged = true;
    const whole = this.text.append(text);
    if (this.depth === 0) this.root = whole;
    else this.level.growTo(whole);
    if (this.log !== undefined) this.log.grown = text;
  }

  closeString(): void {
    this.text.end();
    this.log?.note(CLOSE_STRING, this.level.lastStep, null);
  }

  openObject(): void {
    const object: OpenObject = {};
    this.place(object);
    this.log?.note(OPEN_OBJECT, this.level.lastStep, null);
    this.level = this.level.openObject(object);
    this.depth++;
  }

  openArray(): void {
    const array: JsonValue[] = [];
    this.place(array);
    this.log?.note(OPEN_ARRAY, this.level.lastStep, null);
    this.level = this.level.openArray(array);
    this.depth++;
  }

  /** Finishes the innermost container; only called while one is open. */
  close(): void {
    const { level } = this;
    const { outer } = level;
    if (outer === undefined) return;
    // A snapshot already shows this container as it is now: keep that copy as the finished one, so
    // that later snapshots show the same object.
    if (!this.hasChanged) this.noteCopies();
    this.level = outer;
    this.depth--;
    this.log?.note(CLOSE_CONTAINER, outer.lastStep, null);
    if (this.hasChanged || level.copy === undefined) return;
    if (this.depth === 0) this.root = level.copy;
    else outer.replaceLast(level.copy);
  }

  snapshot(): JsonValue | undefined {
    if (!this.hasChanged) return this.latest;
    this.hasChanged = false;
    this.latest = this.depth === 0 ? this.root : this.copySpine();
    return this.latest;
  }

  private copySpine(): JsonValue {
    this.hasNotedCopies = false;
    let copy = this.level.copyInnermost();
    for (let level = this.level.outer; level?.outer !== undefined; level = level.outer) {
      copy = level.copyAround(copy);
    }
    return copy;
  }

  /**
   * Finds the copies that the latest snapshot has of the open containers, which it shows as they are.
   * Done once for a snapshot and only when a container closes: noting each when it is made costs more.
   */
  private noteCopies(): void {
    if (this.hasNotedCopies) return;
    this.hasNotedCopies = true;
    let copy = this.latest;
    let level = this.outermost.inner;
    while (level !== undefined && isContainer(copy)) {
      level.copy = copy;
      if (level === this.level) return;
      copy = level.lastOf(copy);
      level = level.inner;
    }
  }

  /** Adds a new value at the current position of the text. */
  private place(value: JsonValue): void {
    this.hasChanged = true;
    const { object, array } = this.level;
    if (object !== undefined) {
      const key = this.key;
      this.level.noteKey(key);
      if (key.isPlain) addKey(object, key.text, value, key.place);
      else define(object, key.text, value);
    } else if (array !== undefined) {
      array.push(value);
    } else {
      this.root = value;
    }
  }
}

function define(object: OpenObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function isContainer(value: JsonValue | undefined): value is OpenObject | JsonValue[] {
  return typeof value === "object" && value !== null;
}

function isObject(value: JsonValue | undefined): value is OpenObject {
  return isContainer(value) && !Array.isArray(value);
}
