/**
 * The lines that a worker sends to the case that started it: both ends of that wire. A kill may
 * cut the last line short; such a line is no word.
 */
import { createHash } from "node:crypto";

export type Word =
  /** The store says that these events are stored. */
  | {
      readonly type: "stored";
      readonly runId: string;
      readonly first: number;
      readonly last: number;
      readonly digest: string;
    }
  /** The store says that this node no longer owns the run. */
  | { readonly type: "fenced"; readonly runId: string }
  /** The run was taken over from a node that is gone. */
  | { readonly type: "taken"; readonly runId: string; readonly closings: number }
  /** The database could not be reached, or another node owns the run: it is left to recovery. */
  | { readonly type: "left"; readonly runId: string };

export function wordLineOf(word: Word): string {
  switch (word.type) {
    case "stored":
      return `stored ${word.runId} ${word.first} ${word.last} ${word.digest} .`;
    case "fenced":
    case "left":
      return `${word.type} ${word.runId} .`;
    case "taken":
      return `taken ${word.runId} ${word.closings} .`;
    default:
      return word satisfies never;
  }
}

export function wordIn(line: string): Word | undefined {
  const [type, runId = "", ...rest] = line.split(" ");
  if (rest.at(-1) !== ".") return undefined;
  const [first, last, digest = ""] = rest;
  switch (type) {
    case "stored":
      return { type, runId, first: Number(first), last: Number(last), digest };
    case "fenced":
    case "left":
      return { type, runId };
    case "taken":
      return { type, runId, closings: Number(first) };
    default:
      return undefined;
  }
}

export function digestOf(lines: readonly string[]): string {
  return createHash("sha1").update(lines.join("\n")).digest("hex");
}
