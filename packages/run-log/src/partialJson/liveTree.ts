/**
 * The value read so far: every value is placed in the tree the moment it is known, and only the
 * spine (the containers still open, root first) ever changes.
 * A snapshot copies that spine and shares everything finished. Nothing here looks at text, recurses,
 * or reads a string that is still growing: reading would flatten it and make each push cost its length.
 */
import type { JsonValue } from "../json.js";
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
import { addKey, type OpenObject, replaceKey } from "./keyedPlaces.js";
import { FIRST, type KnownKey, keyOf, link } from "./knownKeys.js";
import { Level } from "./level.js";

export class LiveTree {
  root: JsonValue | undefined = undefined;
  depth = 0;
  /** The key last read, wherever it stood. */
  private key: KnownKey = FIRST;
  /** The key of the value last placed in the innermost object, or of the next one. */
  private name = "";
  /** The innermost open container; a level without one when none is open. */
  private level = new Level(undefined);
  private readonly text = new GrowingText();
  private readonly log: ChangeLog | undefined;

  private latest: JsonValue | undefined = undefined;
  private changed: boolean = false;

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

  /** The steps of the open containers, the root's own first. */
  openSteps(): (string | number)[] {
    const steps: (string | number)[] = [];
    for (let level = this.level; level.outer !== undefined; level = level.outer) {
      steps.push(level.step);
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

  /** Names the next value of the innermost object. */
  setKey(text: string): void {
    const key = keyOf(text);
    link(this.key, key);
    this.key = key;
    this.name = key.text;
  }

  /**
   * When the key that came next the last time stands at `at` in the chunk, with its colon, takes it
   * and returns where it ends; 0 otherwise.
   */
  takeExpectedKey(chunk: string, at: number): number {
    const key = this.key.next;
    if (key === undefined || !chunk.startsWith(key.source, at)) return 0;
    this.key = key;
    this.name = key.text;
    return at + key.source.length;
  }

  set(value: Scalar): void {
    const step = this.place(value);
    this.log?.note(SET, step, value);
  }

  openString(text: string): void {
    this.text.begin(text);
    const step = this.place(text);
    this.log?.note(OPEN_STRING, step, text);
  }

  appendText(text: string): void {
    this.growTo(this.text.append(text));
    if (this.log !== undefined) this.log.grown = text;
    this.changed = true;
  }

  closeString(): void {
    this.log?.note(CLOSE_STRING, this.lastStep(), null);
  }

  openObject(): void {
    const object: OpenObject = {};
    const step = this.place(object);
    this.log?.note(OPEN_OBJECT, step, null);
    this.level = this.level.openObject(step, object);
    this.depth++;
  }

  openArray(): void {
    const array: JsonValue[] = [];
    const step = this.place(array);
    this.log?.note(OPEN_ARRAY, step, null);
    this.level = this.level.openArray(step, array);
    this.depth++;
  }

  /** Finishes the innermost container; only called while one is open. */
  close(): void {
    const { step, copy, outer } = this.level;
    if (outer === undefined) return;
    this.level = outer;
    this.depth--;
    if (typeof step === "string") this.name = step;
    this.log?.note(CLOSE_CONTAINER, step, null);
    // A snapshot already shows this container as it is now: keep that copy as the finished one, so
    // that later snapshots show the same object.
    if (!this.changed && copy !== undefined) this.replace(copy);
  }

  snapshot(): JsonValue | undefined {
    if (!this.changed) return this.latest;
    this.changed = false;
    this.latest = this.root;
    let inner: Level | undefined;
    for (let level = this.level; level.outer !== undefined; level = level.outer) {
      this.latest = level.renewCopy(inner);
      inner = level;
    }
    return this.latest;
  }

  /** Adds a new value where the text stands now and returns its step. */
  private place(value: JsonValue): string | number {
    this.changed = true;
    const { object, array } = this.level;
    if (object !== undefined) {
      const { text, isPlain, place } = this.key;
      this.level.noteKey(text);
      if (isPlain) addKey(object, text, value, place);
      else define(object, text, value);
      return text;
    }
    if (array !== undefined) return array.push(value) - 1;
    this.root = value;
    return "";
  }

  /** Puts a longer form of the string last placed in its stead. */
  private growTo(text: string): void {
    const { object, array } = this.level;
    if (object !== undefined) replaceKey(object, this.name, text, this.key.place);
    else if (array !== undefined) array[array.length - 1] = text;
    else this.root = text;
  }

  /** Puts the copy of a container just closed in its stead. */
  private replace(value: JsonValue): void {
    const { object, array } = this.level;
    if (object !== undefined) object[this.name] = value;
    else if (array !== undefined) array[array.length - 1] = value;
    else this.root = value;
  }

  /** Where the value last placed sits in the innermost container. */
  lastStep(): string | number {
    const { object, array } = this.level;
    if (object !== undefined) return this.name;
    return array === undefined ? "" : array.length - 1;
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

function isObject(value: JsonValue | undefined): value is OpenObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
