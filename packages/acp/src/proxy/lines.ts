/**
 * Lines of JSON from a stream of bytes, one at a time: the next is read when the last is processed. A line that is too
 * long for memory is skipped to its end and reported by its start.
 */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isJson, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { createLineSplitter, longestLine, type SplitLine } from "@callboard/run-log/intake";

export type Line =
  | { readonly type: "message"; readonly message: JsonObject; readonly text: string }
  /** No JSON object: passed on as it is. */
  | { readonly type: "other"; readonly text: string }
  /** The start of a message whose writer ended before its line did. */
  | { readonly type: "cut"; readonly text: string }
  | { readonly type: "tooLong"; readonly length: number; readonly head: string };

export async function* readLines(
  input: Readable,
  longest: number = longestLine,
): AsyncGenerator<Line, void> {
  const decoder = new StringDecoder("utf8");
  const splitter = createLineSplitter(longest, "\n");
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    for (const split of splitter.push(text)) {
      const line = readLine(split);
      if (line) yield line;
    }
  }
  for (const split of splitter.end()) {
    const rest = readLine(split);
    if (rest) yield rest.type === "other" ? { type: "cut", text: rest.text } : rest;
  }
}

function readLine(split: SplitLine): Line | undefined {
  if (split.type === "tooLong") return split;
  return split.text.trim() === "" ? undefined : parsedLineOf(split.text);
}

function parsedLineOf(text: string): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isJson(value) && isJsonObject(value)) return { type: "message", message: value, text };
  } catch {
    return { type: "other", text };
  }
  return { type: "other", text };
}

/** What the start of a message contains: enough to answer it, or to report what was lost. */
export interface MessageHead {
  readonly id: JsonValue | undefined;
  readonly method: string | undefined;
  readonly sessionId: string | undefined;
}

export function headOfMessage(head: string): MessageHead {
  // Only the text before the first long value can be the message's own.
  const id =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?(?:\s*"method"\s*:\s*"[^"]*"\s*,)?\s*"id"\s*:\s*("[^"\\]*"|-?\d+)/.exec(
      head,
    )?.[1];
  const method = /"method"\s*:\s*"([^"\\]*)"/.exec(head)?.[1];
  const sessionId = /"sessionId"\s*:\s*"([^"\\]*)"/.exec(head)?.[1];
  return { id: id === undefined ? undefined : parsedId(id), method, sessionId };
}

function parsedId(text: string): JsonValue | undefined {
  const value: unknown = JSON.parse(text);
  return isJson(value) ? value : undefined;
}
