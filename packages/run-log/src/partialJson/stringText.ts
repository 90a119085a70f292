/**
 * The inside of one JSON string, key or value, from after its opening quote to its closing quote.
 * What a chunk decides is gathered in `piece`; what it leaves undecided (half an escape, a high
 * surrogate whose partner may follow) is held back for the next chunk, however the text was cut.
 * It never keeps the string itself: the caller takes each piece. A closed string leaves nothing behind,
 * so the next one begins where it ended.
 */
import { hexDigit, isHighSurrogate, plainEscape } from "./escape.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Backslash, `u` and four digits. */
const UNICODE_ESCAPE_LENGTH = 6;

/** From this many characters on the engine's searches are worth their calls. */
const LONG = 32;
/** From this many characters on the engine's parser is worth its call. */
const VERY_LONG = 192;
/** So much of a string that begins inside a chunk is read by character: most such strings end there. */
const SHORT = 16;
/** Matches text without control characters; the engine is faster at this than at looking for one. */
const WITHOUT_CONTROLS = /^[ -\uffff]*$/;

export const OPEN = 0;
export const CLOSED = 1;
export const BROKEN = 2;

export class StringText {
  /** Where the last `read` stopped: after the quote, at the offending character or at the end. */
  stop = 0;
  private piece = "";
  private held = "";
  private heldSource = 0;
  /** How many characters of an escape have been read; 0 outside of one. */
  private escapeSource = 0;
  private escapeUnit = 0;

  /**
   * How far a short chunk is content as it stands, 0 when something is held back: its length for the
   * usual chunk of a long string, which then needs no `read`.
   */
  contentEnd(chunk: string): number {
    if (this.heldSource !== 0 || this.escapeSource !== 0 || chunk.length >= LONG) return 0;
    let at = 0;
    let last = 0;
    while (at < chunk.length) {
      const code = chunk.charCodeAt(at);
      if (!isContent(code)) break;
      last = code;
      at++;
    }
    return isHighSurrogate(last) ? at - 1 : at;
  }

  /**
   * Reads the chunk on from `run`, up to which it is content, over plain escapes too. Returns the first
   * index that `read` has to decide about, the chunk's length when there is none.
   */
  readContent(chunk: string, run: number): number {
    if (this.heldSource !== 0 || this.escapeSource !== 0) return 0;
    return chunk.length < LONG ? this.readShort(chunk, run) : this.readLong(chunk, 0);
  }

  /** What was decided since the last call. */
  take(): string {
    const piece = this.piece;
    this.piece = "";
    return piece;
  }

  /** How many characters of source at the end of the text are held back. */
  get undecided(): number {
    return this.heldSource + this.escapeSource;
  }

  /** Whether the character that broke the string stood inside an escape. */
  get isInEscape(): boolean {
    return this.escapeSource !== 0;
  }

  /** Reads on from `from` and returns how that ended: `OPEN`, `CLOSED` or `BROKEN`. */
  read(chunk: string, from: number): number {
    const end = chunk.length;
    let start = from;
    let at = from;
    let shortEnd = end - from < LONG ? end : from + SHORT;
    for (;;) {
      if (this.escapeSource !== 0) {
        at = this.readEscape(chunk, at);
        if (this.escapeSource !== 0) return this.stopAt(at, at === end ? OPEN : BROKEN);
        start = at;
      }
      at = runEnd(chunk, at, shortEnd);
      if (at >= shortEnd && shortEnd < end) {
        shortEnd = end;
        if (this.heldSource === 0) start = this.readLong(chunk, start);
        at = runEnd(chunk, start, end);
      }
      if (at > start) this.addRun(chunk, start, at);
      if (at === end) return this.stopAt(at, OPEN);
      const code = chunk.charCodeAt(at);
      if (code === QUOTE) return this.stopAt(at + 1, CLOSED);
      if (code !== BACKSLASH) return this.stopAt(at, BROKEN);
      at++;
      const plain = at < end ? plainEscape(chunk.charCodeAt(at)) : "";
      if (plain === "") {
        this.escapeSource = 1;
      } else {
        if (this.heldSource !== 0) this.release();
        this.piece += plain;
        at++;
        start = at;
      }
    }
  }

  private stopAt(at: number, outcome: number): number {
    this.stop = at;
    if (outcome !== OPEN && this.heldSource !== 0) this.release();
    return outcome;
  }

  private addRun(chunk: string, start: number, end: number): void {
    if (this.heldSource !== 0) this.release();
    let stop = end;
    if (isHighSurrogate(chunk.charCodeAt(end - 1))) {
      stop--;
      this.held = chunk.charAt(stop);
      this.heldSource = 1;
    }
    this.piece += chunk.slice(start, stop);
  }

  /** `readContent` by character. */
  private readShort(chunk: string, run: number): number {
    const end = chunk.length;
    let start = 0;
    let at = run;
    let piece = "";
    while (at + 1 < end && chunk.charCodeAt(at) === BACKSLASH) {
      const plain = plainEscape(chunk.charCodeAt(at + 1));
      if (plain === "") break;
      piece += at === start ? plain : chunk.slice(start, at) + plain;
      start = at + 2;
      at = runEnd(chunk, start, end);
    }
    if (at > start) {
      if (isHighSurrogate(chunk.charCodeAt(at - 1))) at--;
      piece += chunk.slice(start, at);
    }
    this.piece = piece;
    return at;
  }

  /**
   * The same by the engine's searches, which look at many characters at once; only while nothing is held
   * back. It returns `from` when there is a control character, whose place the slow way finds.
   */
  private readLong(chunk: string, from: number): number {
    const end = closingQuote(chunk, from);
    const text = chunk.slice(from, end);
    const parsed = text.length < VERY_LONG ? undefined : parsedText(text, end < chunk.length);
    if (parsed !== undefined) {
      this.piece += parsed;
      return end;
    }
    if (!WITHOUT_CONTROLS.test(text)) return from;
    const last = text.length - 1;
    let start = 0;
    let piece = this.piece;
    let stop = text.indexOf("\\");
    while (stop !== -1 && stop < last) {
      const plain = plainEscape(text.charCodeAt(stop + 1));
      const unit = plain === "" ? escapedUnit(text, stop) : "";
      if (plain === "" && unit === "") break;
      piece += text.slice(start, stop) + plain + unit;
      start = stop + (plain === "" ? UNICODE_ESCAPE_LENGTH : 2);
      stop = text.indexOf("\\", start);
    }
    if (stop === -1) stop = text.length;
    if (stop > start) {
      if (isHighSurrogate(text.charCodeAt(stop - 1))) stop--;
      piece += text.slice(start, stop);
    }
    this.piece = piece;
    return from + stop;
  }

  /** Reads on in an escape; on return it is over, the chunk is, or `at` is where it broke. */
  private readEscape(chunk: string, from: number): number {
    let at = from;
    while (at < chunk.length) {
      const code = chunk.charCodeAt(at);
      if (this.escapeSource === 1 && code !== LETTER_U) {
        const plain = plainEscape(code);
        if (plain === "") return at;
        this.escapeSource = 0;
        if (this.heldSource !== 0) this.release();
        this.piece += plain;
        return at + 1;
      }
      if (this.escapeSource === 1) {
        this.escapeUnit = 0;
      } else {
        const digit = hexDigit(code);
        if (digit < 0) return at;
        this.escapeUnit = this.escapeUnit * 16 + digit;
      }
      this.escapeSource++;
      at++;
      if (this.escapeSource === UNICODE_ESCAPE_LENGTH) {
        this.escapeSource = 0;
        this.addEscapedUnit(this.escapeUnit);
        return at;
      }
    }
    return at;
  }

  private addEscapedUnit(unit: number): void {
    if (this.heldSource !== 0) this.release();
    const character = String.fromCharCode(unit);
    if (isHighSurrogate(unit)) {
      this.held = character;
      this.heldSource = UNICODE_ESCAPE_LENGTH;
    } else {
      this.piece += character;
    }
  }

  /** No partner follows any more: the held character stands alone, or before the partner just read. */
  private release(): void {
    this.piece += this.held;
    this.held = "";
    this.heldSource = 0;
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

/**
 * What the `\u` escape at `at` stands for; "" when there is none, or when it is a high surrogate and
 * the text ends before its partner would.
 */
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

/** Where the quote that ends the string stands; the chunk's length when it does not end there. */
function closingQuote(chunk: string, from: number): number {
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

/** Where the characters that stand for themselves end, at `end` at the latest. */
function runEnd(chunk: string, from: number, end: number): number {
  let at = from;
  while (at < end) {
    if (!isContent(chunk.charCodeAt(at))) break;
    at++;
  }
  return at;
}

/** Whether a character in a string stands for itself. */
function isContent(code: number): boolean {
  return code > BACKSLASH || (code !== BACKSLASH && code !== QUOTE && code >= 0x20);
}
