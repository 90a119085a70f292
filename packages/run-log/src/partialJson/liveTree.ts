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
import { copyObject, mixKey } from "./copyObject.js";
import { GrowingText } from "./growingText.js";

interface OpenObject {
  [key: string]: JsonValue;
}
type OpenArray = JsonValue[];

/** How many keys are remembered, and up to what length: enough for any real tool, bounded for others. */
const KNOWN_KEYS = 256;
const KNOWN_KEY_LENGTH = 64;

export class LiveTree {
  root: JsonValue | undefined = undefined;
  depth = 0;
  /** The key the next value of the innermost object goes under. */
  private key = "";
  /** Whether assigning makes the key the object's own; not so for `__proto__` and its like. */
  private isPlainKey: boolean = true;
  /**
   * Plain keys met before, each kept as the very string an object has it under: the engine finds that
   * one much faster than an equal one cut from a chunk.
   */
  private readonly keys = new Map<string, string>();
  private object: OpenObject | undefined = undefined;
  private array: OpenArray | undefined = undefined;
  private readonly text = new GrowingText();
  private readonly spine: (OpenObject | OpenArray)[] = [];
  /** Where each container of the spine sits in its parent; the root's own step is never read. */
  private readonly steps: (string | number)[] = [];
  /** A sum over the keys of each open object, see `copyObject`. */
  private readonly mixes: number[] = [];
  private readonly log: ChangeLog | undefined;

  private latest: JsonValue | undefined = undefined;
  private changed: boolean = false;
  /** The latest snapshot's copies of the spine. */
  private readonly copies: (OpenObject | OpenArray)[] = [];

  constructor(log: ChangeLog | undefined) {
    this.log = log;
  }

  /** The root when it is an object. */
  get rootObject(): Record<string, JsonValue> | undefined {
    const root = this.root;
    return isObject(root) ? root : undefined;
  }

  get isInObject(): boolean {
    return this.object !== undefined;
  }

  /** The steps of the open containers, the root's own first. */
  openSteps(): (string | number)[] {
    return this.steps.slice(0, this.depth);
  }

  /** The signs that close what is open, innermost first. */
  closers(): string {
    let text = "";
    for (let level = 0; level < this.depth; level++) {
      text = (Array.isArray(this.spine[level]) ? "]" : "}") + text;
    }
    return text;
  }

  /** Names the next value of the innermost object. */
  setKey(text: string): void {
    const known = this.keys.get(text);
    this.isPlainKey = known !== undefined || !(text in Object.prototype);
    this.key = known ?? text;
    if (known !== undefined || !this.isPlainKey) return;
    if (text.length <= KNOWN_KEY_LENGTH && this.keys.size < KNOWN_KEYS) this.keys.set(text, text);
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
    this.replace(this.text.append(text));
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
    this.spine[this.depth] = object;
    this.mixes[this.depth] = 0;
    this.steps[this.depth] = step;
    this.depth++;
    this.object = object;
    this.array = undefined;
  }

  openArray(): void {
    const array: OpenArray = [];
    const step = this.place(array);
    this.log?.note(OPEN_ARRAY, step, null);
    this.spine[this.depth] = array;
    this.mixes[this.depth] = 0;
    this.steps[this.depth] = step;
    this.depth++;
    this.object = undefined;
    this.array = array;
  }

  /** Finishes the innermost container; only called while one is open. */
  close(): void {
    const depth = --this.depth;
    const step = this.steps[depth] ?? "";
    const parent = depth === 0 ? undefined : this.spine[depth - 1];
    this.object = undefined;
    this.array = undefined;
    if (Array.isArray(parent)) this.array = parent;
    else if (parent !== undefined) {
      this.object = parent;
      if (typeof step === "string") this.key = step;
    }
    this.log?.note(CLOSE_CONTAINER, step, null);
    if (this.changed) return;
    // A snapshot already shows this container as it is now: keep that copy as the finished one, so
    // that later snapshots show the same object.
    const copy = this.copies[depth];
    if (copy !== undefined) this.replace(copy);
  }

  snapshot(): JsonValue | undefined {
    if (!this.changed) return this.latest;
    this.changed = false;
    if (this.depth === 0) {
      this.latest = this.root;
      return this.latest;
    }
    let parent: OpenObject | OpenArray | undefined;
    for (let level = 0; level < this.depth; level++) {
      const open = this.spine[level];
      const step = this.steps[level];
      if (open === undefined || step === undefined) break;
      const copy = Array.isArray(open) ? open.slice() : copyObject(open, this.mixes[level] ?? 0);
      this.copies[level] = copy;
      if (parent === undefined) this.latest = copy;
      else if (!Array.isArray(parent)) parent[step] = copy;
      else if (typeof step === "number") parent[step] = copy;
      parent = copy;
    }
    return this.latest;
  }

  /** Adds a new value where the text stands now and returns its step. */
  private place(value: JsonValue): string | number {
    this.changed = true;
    if (this.object !== undefined) {
      const key = this.key;
      const level = this.depth - 1;
      this.mixes[level] = mixKey(this.mixes[level] ?? 0, key);
      if (this.isPlainKey) this.object[key] = value;
      else define(this.object, key, value);
      return key;
    }
    if (this.array !== undefined) return this.array.push(value) - 1;
    this.root = value;
    return "";
  }

  /** Puts a later form of the value last placed in its stead. */
  private replace(value: JsonValue): void {
    if (this.object !== undefined) this.object[this.key] = value;
    else if (this.array !== undefined) this.array[this.array.length - 1] = value;
    else this.root = value;
  }

  /** Where the value last placed sits in the innermost container. */
  lastStep(): string | number {
    if (this.object !== undefined) return this.key;
    return this.array === undefined ? "" : this.array.length - 1;
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
