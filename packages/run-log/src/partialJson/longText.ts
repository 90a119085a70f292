/**
 * A long piece of a JSON string, read by what the engine does fast over many characters at once.
 * It leaves to others whatever the piece does not decide, and remembers nothing from one to the next.
 */
import {
  hexDigit,
  isHighSurrogate,
  plainEscape,
  standsForItself,
  UNICODE_ESCAPE_LENGTH,
} from "./escape.js";

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** From this many characters on the engine's parser is worth its call. */
const VERY_LONG = 192;
/** Matches text without control characters; the engine is faster at this than at looking for one. */
const WITHOUT_CONTROLS = /^[ -\uffff]*$/;

export class LongText {
  /** The text that was read. */
  piece = "";
  /** The first index that was not: the closing quote, the end, or what has to be decided by character. */
  stop = 0;

  /** Reads nothing when there is a control character, whose place has to be found by character too. */
  read(chunk: string, from: number): void {
    const end = closingQuote(chunk, from);
    const text = chunk.slice(from, end);
    const parsed = text.length < VERY_LONG ? undefined : parsedText(text, end < chunk.length);
    this.piece = parsed ?? "";
    this.stop = parsed === undefined ? from : end;
    if (parsed === undefined && WITHOUT_CONTROLS.test(text)) this.stop += this.decode(text);
  }

  /** Returns how much of the text was read. */
  private decode(text: string): number {
    const last = text.length - 1;
    let piece = "";
    let start = 0;
    let stop = text.indexOf("\\");
    while (stop !== -1 && stop < last) {
      const code = text.charCodeAt(stop + 1);
      const plain = plainEscape(code);
      const unit = plain === "" ? escapedUnit(text, stop) : plain;
      if (unit === "") break;
      if (stop > start) piece += text.slice(start, stop);
      const next = stop + (plain === "" ? UNICODE_ESCAPE_LENGTH : 2);
      start = next;
      if (plain !== "" && standsForItself(code)) start--;
      else piece += unit;
      stop = text.indexOf("\\", next);
    }
    if (stop === -1) stop = text.length;
    if (stop > start && isHighSurrogate(text.charCodeAt(stop - 1))) stop--;
    if (stop > start) piece += text.slice(start, stop);
    this.piece = piece;
    return stop;
  }
}

/** The text by the engine's parser; undefined when it is broken or, unless closed, may end undecided. */
function parsedText(text: string, isClosed: boolean): string | undefined {
  const last = text.length - 1;
  if (!isClosed && isHighSurrogate(text.charCodeAt(last))) return undefined;
  if (!isClosed && text.includes("\\", last - UNICODE_ESCAPE_LENGTH)) return undefined;
  try {
    const parsed: string = JSON.parse(`"${text}"`);
    return parsed;
  } catch {
    return undefined;
  }
}

/** The character of the `\u` escape at `at`; "" if there is none, or if it is a high surrogate and the text ends before its partner. */
function escapedUnit(text: string, at: number): string {
  if (text.charCodeAt(at + 1) !== LETTER_U || at + UNICODE_ESCAPE_LENGTH > text.length) return "";
  let unit = 0;
  for (let place = at + 2; place < at + UNICODE_ESCAPE_LENGTH; place++) {
    const digit = hexDigit(text.charCodeAt(place));
    if (digit < 0) return "";
    unit = unit * 16 + digit;
  }
  const isUndecided = isHighSurrogate(unit) && at + 2 * UNICODE_ESCAPE_LENGTH > text.length;
  return isUndecided ? "" : String.fromCharCode(unit);
}

/** The position of the quote that ends the string; the chunk's length if it does not end there. */
function closingQuote(chunk: string, from: number): number {
  let quote = chunk.indexOf('"', from);
  while (quote !== -1 && isEscaped(chunk, from, quote)) quote = chunk.indexOf('"', quote + 1);
  return quote === -1 ? chunk.length : quote;
}

/** Whether an odd number of backslashes comes before `at`. */
function isEscaped(chunk: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && chunk.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}
