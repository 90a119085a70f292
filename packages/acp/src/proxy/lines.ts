/**
 * Lines of JSON from a stream of bytes, one at a time: the next is read when the last is processed. Each is given with
 * its bytes, also if they are no UTF-8. A line that is too long for memory is skipped and reported by its two ends.
 */
import type { Readable } from "node:stream";
import { isJson, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { createLineSplitter, longestLine, type SplitLine } from "@callboard/run-log/intake";
import { hasInexactNumber } from "./inexactNumbers.js";

export type Line =
  | {
      readonly type: "message";
      readonly message: JsonObject;
      readonly bytes: Buffer;
      /** A number of it would be another one if it were written again. */
      readonly isInexact: boolean;
    }
  /** No JSON object: passed on as it is. */
  | { readonly type: "other"; readonly bytes: Buffer }
  /** The start of a message whose writer ended before its line did. */
  | { readonly type: "cut" }
  | TooLongLine;

/** `length` counts bytes. */
export interface TooLongLine {
  readonly type: "tooLong";
  readonly length: number;
  readonly head: string;
  readonly tail: string;
}

export async function* readLines(
  input: Readable,
  longest: number = longestLine,
): AsyncGenerator<Line, void> {
  // One character for each byte, so that any bytes come out as they went in.
  const splitter = createLineSplitter(longest, "\n");
  for await (const chunk of input) {
    for (const split of splitter.push(Buffer.from(chunk).toString("latin1"))) {
      const line = readLine(split);
      if (line) yield line;
    }
  }
  for (const split of splitter.end()) {
    const rest = readLine(split);
    if (rest) yield rest.type === "other" ? { type: "cut" } : rest;
  }
}

function readLine(split: SplitLine): Line | undefined {
  if (split.type === "tooLong") {
    const [head, tail] = [bytesOf(split.head).toString(), bytesOf(split.tail).toString()];
    return { type: "tooLong", length: split.length, head, tail };
  }
  const bytes = bytesOf(split.text);
  const text = bytes.toString();
  return text.trim() === "" ? undefined : parsedLineOf(text, bytes);
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, "latin1");
}

function parsedLineOf(text: string, bytes: Buffer): Line {
  const isInexact = hasInexactNumber(text);
  try {
    const value: unknown = JSON.parse(text, isInexact ? finite : undefined);
    if (isJson(value) && isJsonObject(value)) {
      return { type: "message", message: value, bytes, isInexact };
    }
  } catch {
    return { type: "other", bytes };
  }
  return { type: "other", bytes };
}

/** A number that is too large for this language still is a number. */
function finite(_: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return value > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE;
}

/** What the ends of a message contain: enough to answer it, or to report what was lost. */
export interface MessageHead {
  readonly id: JsonValue | undefined;
  readonly method: string | undefined;
  readonly sessionId: string | undefined;
}

export function headOfMessage({ head, tail }: TooLongLine): MessageHead {
  // Only the text before the first long value can be the message's own, or the text after the last one.
  const first =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?(?:\s*"method"\s*:\s*"[^"]*"\s*,)?\s*"id"\s*:\s*("[^"\\]*"|-?\d+)/.exec(
      head,
    )?.[1];
  const last = /,\s*"id"\s*:\s*("[^"\\]*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
    tail,
  )?.[1];
  const method = /"method"\s*:\s*"([^"\\]*)"/.exec(head)?.[1];
  const session = /"sessionId"\s*:\s*"([^"\\]*)"/;
  const sessionId = (session.exec(head) ?? session.exec(tail))?.[1];
  const id = first ?? last;
  return { id: id === undefined ? undefined : parsedId(id), method, sessionId };
}

function parsedId(text: string): JsonValue | undefined {
  const value: unknown = JSON.parse(text);
  return isJson(value) ? value : undefined;
}
