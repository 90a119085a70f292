/** The head and the tail of a text that is too long to be read whole. */
export interface Excerpt {
  readonly lines: number;
  readonly head: string;
  readonly tail: string;
  /** 0 where nothing is left out: then `head` is all. */
  readonly omittedLines: number;
}

const headLines = 12;
const tailLines = 12;

export function excerptOf(text: string): Excerpt {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const omittedLines = lines.length - headLines - tailLines;
  if (omittedLines <= 1) return { lines: lines.length, head: text, tail: "", omittedLines: 0 };
  return {
    lines: lines.length,
    head: lines.slice(0, headLines).join("\n"),
    tail: lines.slice(-tailLines).join("\n"),
    omittedLines,
  };
}
