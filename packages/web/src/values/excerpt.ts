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

/** Reads its ends alone; `lines` is how many lines the text has. */
export function excerptOf(text: string, lines: number): Excerpt {
  const isLong = lines > 2 * shownLines + 1;
  const head = isLong ? text.slice(0, headEnd(text)) : text;
  const tail = isLong ? text.slice(tailStart(text), endOf(text)) : "";
  if (head.length + tail.length > 2 * shownChars) {
    const short = { head: text.slice(0, shownChars), tail: text.slice(-shownChars) };
    return { lines, ...short, omitted: `${numberText(text.length - 2 * shownChars)} characters` };
  }
  const omitted = isLong ? `${numberText(lines - 2 * shownLines)} lines` : "";
  return { lines, head, tail, omitted };
}

/** Where the first lines end. No more is searched than may be shown. */
function headEnd(text: string): number {
  const searched = text.slice(0, 2 * shownChars + 1);
  let end = -1;
  for (let line = 0; line < shownLines; line += 1) {
    end = searched.indexOf("\n", end + 1);
    if (end === -1) return searched.length;
  }
  return end;
}

/** Where the last lines start. */
function tailStart(text: string): number {
  const end = endOf(text);
  const from = Math.max(0, end - 2 * shownChars - 1);
  const searched = text.slice(from, end);
  let start = searched.length;
  for (let line = 0; line < shownLines; line += 1) {
    start = start === 0 ? -1 : searched.lastIndexOf("\n", start - 1);
    if (start === -1) return from;
  }
  return from + start + 1;
}

/** Without the end of the last line. */
function endOf(text: string): number {
  return text.endsWith("\n") ? text.length - 1 : text.length;
}

export type LineCount = (text: string) => number;

/** Longer than this the end of a text that was read is not compared. */
const comparedChars = 64;

/** The number of lines of a text that grows: only what is new is read. Any other text is read from its start. */
export function createLineCount(breaksIn: (piece: string) => number = lineBreaksIn): LineCount {
  let read = "";
  let length = 0;
  let breaks = 0;
  return (text) => {
    const isLonger = text.length >= length && text.slice(length - read.length, length) === read;
    if (!isLonger) [length, breaks] = [0, 0];
    if (text.length > length) breaks += breaksIn(text.slice(length));
    length = text.length;
    read = text.slice(-comparedChars);
    return breaks + (text === "" || text.endsWith("\n") ? 0 : 1);
  };
}

function lineBreaksIn(piece: string): number {
  let count = 0;
  for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", at + 1)) count += 1;
  return count;
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
