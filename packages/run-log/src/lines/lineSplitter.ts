/**
 * Splits a text that arrives in pieces into lines. A line may end in `\n`, `\r\n` or `\r`, or only in `\n` if every
 * other character must pass unchanged. A line longer than the bound is skipped to its end and only its start is
 * returned, so that no stream can fill the memory.
 */
export type SplitLine =
  | { readonly type: "line"; readonly text: string }
  /** `length` counts UTF-16 units; `head` is the start of the line. */
  | { readonly type: "tooLong"; readonly length: number; readonly head: string };

export interface LineSplitter {
  push(piece: string): readonly SplitLine[];
  /** The text after the last line break. */
  end(): readonly SplitLine[];
}

export const longestLine = 64 * 1024 ** 2;
const keptHead = 4_096;
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
    if (held > longest) pieces = [pieces.join("").slice(0, keptHead)];
  };
  const taken = (): SplitLine => {
    const [first = ""] = pieces;
    const text = pieces.length > 1 ? pieces.join("") : first;
    const length = held;
    pieces = [];
    held = 0;
    if (length > longest) return { type: "tooLong", length, head: text.slice(0, keptHead) };
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
