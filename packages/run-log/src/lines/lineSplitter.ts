/**
 * Splits a text that arrives in pieces into lines. A line may end in `\n`, `\r\n` or `\r`, or only in `\n` if every
 * other character must pass unchanged. Of a line longer than the bound only the start and the end are kept, so that no
 * stream can fill the memory.
 */
export type SplitLine =
  | { readonly type: "line"; readonly text: string }
  /** `length` counts UTF-16 units; `head` is the start of the line, `tail` its end. */
  | {
      readonly type: "tooLong";
      readonly length: number;
      readonly head: string;
      readonly tail: string;
    };

export interface LineSplitter {
  push(piece: string): readonly SplitLine[];
  /** The text after the last line break. */
  end(): readonly SplitLine[];
}

export const longestLine = 64 * 1024 ** 2;
const keptHead = 4_096;
const keptTail = 1_024;
const anyBreak = /\r\n|\n|\r/;

export function createLineSplitter(
  longest: number = longestLine,
  lineBreak: "any" | "\n" = "any",
): LineSplitter {
  const isAny = lineBreak === "any";
  // The pieces of a line that is not whole yet. They are joined once.
  let pieces: string[] = [];
  let held = 0;
  /** The last piece ended in `\r`: a `\n` at the start of the next one belongs to it. */
  let hasReturn = false;

  const take = (piece: string): void => {
    held += piece.length;
    if (piece !== "") pieces.push(piece);
    if (held > longest) pieces = [...ends(pieces.join(""))];
  };
  const taken = (): SplitLine => {
    const [first = ""] = pieces;
    const text = pieces.length > 1 ? pieces.join("") : first;
    const length = held;
    pieces = [];
    held = 0;
    if (length > longest) {
      const [head, tail] = ends(text);
      return { type: "tooLong", length, head, tail };
    }
    return { type: "line", text };
  };

  return {
    push(piece) {
      const text = hasReturn && piece.startsWith("\n") ? piece.slice(1) : piece;
      if (piece !== "") hasReturn = isAny && piece.endsWith("\r");
      const [first = "", ...later] = text.split(isAny ? anyBreak : lineBreak);
      take(first);
      return later.map((next) => {
        const line = taken();
        take(next);
        return line;
      });
    },
    end: () => (held === 0 ? [] : [taken()]),
  };
}

/** The start of a text and the end of the rest. */
function ends(text: string): readonly [head: string, tail: string] {
  const [head, rest] = [text.slice(0, keptHead), text.slice(keptHead)];
  return [head, rest.slice(-keptTail)];
}
