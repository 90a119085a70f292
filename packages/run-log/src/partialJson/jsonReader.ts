/**
 * Reads JSON text that arrives in pieces and has a current value after each of them. The cost of a push depends on its
 * own chunk alone. The reader never throws on text, never removes what it showed, and never guesses: undecided text
 * (half an escape, a number that may continue) is held back.
 */
import type { JsonValue } from "../values/json.js";
import { ChangeLog, type JsonChange, type JsonPath } from "./changeLog.js";
import type { JsonProblem } from "./jsonProblem.js";
import { LiveTree } from "./liveTree.js";
import { Scanner } from "./scanner.js";
import { Utf8Text } from "./utf8.js";

/** Deeper text is refused: no honest tool call nests like this, and readers of the value recurse. */
export const DEFAULT_MAX_DEPTH = 10_000;

/**
 * The changes of the last push. Each push returns this same object: read it before the next push or not at all. It is
 * computed when it is read and costs almost nothing otherwise.
 */
export interface JsonProgress {
  /** Everything that happened, in order; applied to the value before the push it gives the value after. */
  readonly changes: readonly JsonChange[];
  /** The changed places: values that started, grew or were set, each path once. */
  readonly changedPaths: readonly JsonPath[];
  /** The values that became complete; a scalar, string or container that will no longer change. */
  readonly completedPaths: readonly JsonPath[];
}

export type JsonStatus = "empty" | "open" | "complete" | "failed";

export type JsonResult =
  | { readonly status: "complete"; readonly value: JsonValue }
  | {
      readonly status: "incomplete" | "failed";
      readonly value: JsonValue | undefined;
      readonly problem: JsonProblem;
    };

export interface JsonReader {
  /** Bytes are UTF-8. After a failure further text is ignored. */
  push(chunk: string | Uint8Array): JsonProgress;
  /**
   * The best value so far; `undefined` until one has started. It is the reader's own tree, and later pushes change it:
   * use `snapshot()` to keep it. Reading a string that still grows costs its whole length each time; `changes` has the
   * new part.
   */
  readonly value: JsonValue | undefined;
  /**
   * The value so far, never changed afterwards. Parts that did not change since the last snapshot
   * are the same objects, up to the root. Costs the width of the containers still open.
   */
  snapshot(): JsonValue | undefined;
  readonly status: JsonStatus;
  readonly problem: JsonProblem | undefined;
  /** Reports that no text follows, which completes a number at the top. Safe to repeat. */
  end(): JsonResult;
}

export interface JsonReaderOptions {
  /** How many containers may be open at once; a scalar needs none. */
  readonly maxDepth?: number;
}

export function createJsonReader(options: JsonReaderOptions = {}): JsonReader {
  return new Reader(options.maxDepth ?? DEFAULT_MAX_DEPTH);
}

class Progress implements JsonProgress {
  private readonly log: ChangeLog;
  private readonly tree: LiveTree;

  constructor(log: ChangeLog, tree: LiveTree) {
    this.log = log;
    this.tree = tree;
  }

  get changes(): readonly JsonChange[] {
    return this.log.changes(this.tree.openSteps(), this.tree.lastStep);
  }

  get changedPaths(): readonly JsonPath[] {
    const seen = new Map<string, JsonPath>();
    for (const change of this.changes) {
      if (change.type !== "close") seen.set(JSON.stringify(change.path), change.path);
    }
    return [...seen.values()];
  }

  get completedPaths(): readonly JsonPath[] {
    return this.changes
      .filter((change) => change.type === "set" || change.type === "close")
      .map((change) => change.path);
  }
}

class Reader implements JsonReader {
  private readonly log = new ChangeLog();
  private readonly tree = new LiveTree(this.log);
  private readonly progress = new Progress(this.log, this.tree);
  private readonly scanner: Scanner;
  private bytes: Utf8Text | undefined = undefined;

  constructor(maxDepth: number) {
    this.scanner = new Scanner(this.tree, maxDepth);
  }

  push(chunk: string | Uint8Array): JsonProgress {
    this.log.clear();
    if (typeof chunk !== "string" || this.bytes !== undefined) this.pushBytes(chunk);
    else this.scanner.push(chunk);
    return this.progress;
  }

  get value(): JsonValue | undefined {
    return this.tree.root;
  }

  snapshot(): JsonValue | undefined {
    return this.tree.snapshot();
  }

  get status(): JsonStatus {
    return this.scanner.status;
  }

  get problem(): JsonProblem | undefined {
    return this.scanner.problem;
  }

  end(): JsonResult {
    if (this.bytes?.isInside !== true) this.scanner.end();
    const value = this.tree.root;
    if (this.scanner.problem !== undefined) {
      return { status: "failed", value, problem: this.scanner.problem };
    }
    if (this.scanner.status === "complete" && value !== undefined) {
      return { status: "complete", value };
    }
    return { status: "incomplete", value, problem: this.scanner.shortage };
  }

  private pushBytes(chunk: string | Uint8Array): void {
    this.bytes ??= new Utf8Text();
    if (typeof chunk !== "string") this.scanner.push(this.bytes.read(chunk));
    else if (!this.bytes.isInside) this.scanner.push(chunk);
    if (this.bytes.isBroken || (typeof chunk === "string" && this.bytes.isInside)) {
      this.scanner.fail("Bytes are not UTF-8", this.scanner.position);
    }
  }
}
