/** Lines of JSON from a stream of bytes, one at a time: the next is read when the last is done with. */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";

/** A longer line is no message of anybody's. */
const longestLine = 32 * 1024 ** 2;

export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
  constructor() {
    super("a line is longer than 32 MB: send large content as a file or in parts");
  }
}

export type Line =
  | { readonly type: "message"; readonly message: JsonObject; readonly text: string }
  /** No JSON object: passed on as it is. */
  | { readonly type: "other"; readonly text: string };

export async function* linesOf(input: Readable): AsyncGenerator<Line, void> {
  const decoder = new StringDecoder("utf8");
  // The pieces of a line that is not whole yet; they are joined once.
  let pieces: string[] = [];
  let held = 0;
  for await (const chunk of input) {
    const text = typeof chunk === "string" ? chunk : decoder.write(Buffer.from(chunk));
    const [first = "", ...lines] = text.split("\n");
    pieces.push(first);
    held += first.length;
    if (held > longestLine) throw new LineTooLongError();
    for (const next of lines) {
      const line = pieces.join("");
      pieces = [next];
      held = next.length;
      if (line.trim() !== "") yield lineOf(line);
    }
  }
  const rest = pieces.join("");
  if (rest.trim() !== "") yield lineOf(rest);
}

function lineOf(text: string): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isJson(value) && isJsonObject(value)) return { type: "message", message: value, text };
  } catch {
    return { type: "other", text };
  }
  return { type: "other", text };
}
