/**
 * The changes of the tree by one push, noted as they happen and turned into paths only on request. An entry contains
 * only its last path step: the full path is found by walking the entries backwards from the current position of the
 * reader, so noting a change costs the same at every depth. Nothing here survives the next push.
 */

/** The steps from the root to a value: object keys and array indexes; the root itself is `[]`. */
export type JsonPath = readonly (string | number)[];

export type Scalar = string | number | boolean | null;

export type JsonChange =
  /** A value started: an empty object, an empty array or an empty string is now at `path`. */
  | {
      readonly type: "open";
      readonly path: JsonPath;
      readonly kind: "object" | "array" | "string";
    }
  /** The string at `path` grew by `text`. */
  | { readonly type: "append"; readonly path: JsonPath; readonly text: string }
  /** A string, number or keyword arrived at `path` whole; it is complete. */
  | { readonly type: "set"; readonly path: JsonPath; readonly value: Scalar }
  /** The value that `open` started at `path` is complete. */
  | { readonly type: "close"; readonly path: JsonPath };

export const OPEN_OBJECT = 0;
export const OPEN_ARRAY = 1;
export const OPEN_STRING = 2;
export const SET = 3;
export const CLOSE_CONTAINER = 4;
export const CLOSE_STRING = 5;
type Code = 0 | 1 | 2 | 3 | 4 | 5;
type Step = string | number;

/** Above this many entries the memory is given back at the next push instead of being reused. */
const KEPT_ENTRIES = 1024;

export class ChangeLog {
  /** The text that the push added to the string that was growing when it came; always its first change. */
  grown = "";
  private readonly codes: Code[] = [];
  private readonly steps: Step[] = [];
  /** The value that was set, or the first text of a string. */
  private readonly values: Scalar[] = [];
  private count = 0;

  clear(): void {
    this.grown = "";
    if (this.count !== 0) this.clearEntries();
  }

  note(code: Code, step: Step, value: Scalar): void {
    const at = this.count++;
    this.codes[at] = code;
    this.steps[at] = step;
    this.values[at] = value;
  }

  /**
   * `spine` are the steps of the containers that are open now, the root's own step included;
   * `last` is the step of the value last placed in the innermost of them.
   */
  changes(spine: readonly Step[], last: Step): JsonChange[] {
    const open = this.spineBefore(spine);
    const pathOf = (step: Step): JsonPath => (open.length === 0 ? [] : [...open.slice(1), step]);
    const changes: JsonChange[] = [];
    if (this.grown !== "") {
      const path = pathOf(this.count === 0 ? last : (this.steps[0] ?? last));
      changes.push({ type: "append", path, text: this.grown });
    }
    for (let at = 0; at < this.count; at++) {
      const code = this.codes[at];
      const step = this.steps[at];
      if (code === undefined || step === undefined) continue;
      if (code === CLOSE_CONTAINER) open.pop();
      changes.push(...changesOf(code, pathOf(step), this.values[at] ?? null));
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) open.push(step);
    }
    return changes;
  }

  private clearEntries(): void {
    if (this.count > KEPT_ENTRIES) {
      this.codes.length = 0;
      this.steps.length = 0;
      this.values.length = 0;
    }
    this.count = 0;
  }

  private spineBefore(spine: readonly Step[]): Step[] {
    const open = [...spine];
    for (let at = this.count - 1; at >= 0; at--) {
      const code = this.codes[at];
      const step = this.steps[at];
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) open.pop();
      if (code === CLOSE_CONTAINER && step !== undefined) open.push(step);
    }
    return open;
  }
}

function changesOf(code: Code, path: JsonPath, value: Scalar): JsonChange[] {
  switch (code) {
    case OPEN_OBJECT:
      return [{ type: "open", path, kind: "object" }];
    case OPEN_ARRAY:
      return [{ type: "open", path, kind: "array" }];
    case OPEN_STRING: {
      const begun: JsonChange = { type: "open", path, kind: "string" };
      return value === "" ? [begun] : [begun, { type: "append", path, text: String(value) }];
    }
    case SET:
      return [{ type: "set", path, value }];
    case CLOSE_CONTAINER:
    case CLOSE_STRING:
      return [{ type: "close", path }];
    default:
      return code satisfies never;
  }
}
