/**
 * The content of a connection before it is interpreted: payloads, comments, lines that were too long. NDJSON and SSE are
 * both read into it. It never parses a payload.
 */
import { createLineSplitter, type Line } from "./lines.js";

export type Frame =
  | {
      readonly type: "payload";
      readonly text: string;
      /** The SSE `id:` that holds for this payload. */
      readonly id?: string;
      /** The connection ended in order before the line did: it may be whole or not. */
      readonly isUnfinished?: true;
    }
  | { readonly type: "comment" }
  | { readonly type: "retry"; readonly milliseconds: number }
  | { readonly type: "tooLong"; readonly head: string };

export interface FrameReader {
  push(text: string): readonly Frame[];
  /** The connection ended in order: what is left over, if it is anything. */
  end(): readonly Frame[];
}

export function createNdjsonReader(maxLineChars?: number): FrameReader {
  const lines = createLineSplitter(maxLineChars);
  return {
    push: (text) => lines.push(text).flatMap(ndjsonFrames),
    end() {
      const text = lines.rest();
      return isBlankFrame(text) ? [] : [{ type: "payload", text, isUnfinished: true }];
    },
  };
}

function ndjsonFrames(line: Line): readonly Frame[] {
  if (typeof line !== "string") return [{ type: "tooLong", head: line.head }];
  return isBlankFrame(line) ? [] : [{ type: "payload", text: line }];
}

function isBlankFrame(text: string): boolean {
  return text.trim() === "";
}
