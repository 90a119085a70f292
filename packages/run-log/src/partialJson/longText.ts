/**
 * Searches in a long piece of a JSON string by what the engine does fast over many characters at once.
 * Nothing here remembers anything between two calls.
 */
import { hexDigit, isHighSurrogate, UNICODE_ESCAPE_LENGTH } from "./escape.js";

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Matches text without control characters; the engine is faster at this than at looking for one. */
const WITHOUT_CONTROLS = /^[ -\uffff]*$/;

export function hasControls(text: string): boolean {
  return !WITHOUT_CONTROLS.test(text);
}

/** The text by the engine's parser; undefined when it is broken or, unless closed, may end undecided. */
export function parsedText(text: string, isClosed: boolean): string | undefined {
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

/**
 * What the `\u` escape at `at` stands for; "" when there is none, or when it is a high surrogate and
 * the text ends before its partner would.
 */
export function escapedUnit(text: string, at: number): string {
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

/** Where the quote that ends the string stands; the chunk's length when it does not end there. */
export function closingQuote(chunk: string, from: number): number {
  let quote = chunk.indexOf('"', from);
  while (quote !== -1 && isEscaped(chunk, from, quote)) quote = chunk.indexOf('"', quote + 1);
  return quote === -1 ? chunk.length : quote;
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(chunk: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && chunk.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}
