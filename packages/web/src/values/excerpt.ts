/** The head and the tail of a text that is too long to be read whole. */
export interface Excerpt {
  readonly lines: number;
  readonly head: string;
  readonly tail: string;
  /** The size of the omitted part, in words; empty if nothing is omitted: then `head` is all. */
  readonly omitted: string;
}

/** Head and tail together are as high as what scrolls. */
const shownLines = 11;
/** A line may be as long as a file: no more than so many characters are shown at either end. */
const shownChars = 6_000;

export function excerptOf(text: string): Excerpt {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const count = lines.length;
  const isLong = count > 2 * shownLines + 1;
  const head = isLong ? lines.slice(0, shownLines).join("\n") : text;
  const tail = isLong ? lines.slice(-shownLines).join("\n") : "";
  const left = count - 2 * shownLines;
  if (head.length + tail.length > 2 * shownChars) {
    const short = { head: text.slice(0, shownChars), tail: text.slice(-shownChars) };
    return {
      lines: count,
      ...short,
      omitted: `${numberText(text.length - 2 * shownChars)} characters`,
    };
  }
  return { lines: count, head, tail, omitted: isLong ? `${numberText(left)} lines` : "" };
}

/** How much it is: "1,204 lines, 56 KB". */
export function sizeText(text: string, lines: number): string {
  return `${numberText(lines)} ${lines === 1 ? "line" : "lines"}, ${bytesText(text.length)}`;
}

export function bytesText(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${numberText(Math.round(bytes / 1_000))} KB`;
}

function numberText(value: number): string {
  return value.toLocaleString("en");
}
