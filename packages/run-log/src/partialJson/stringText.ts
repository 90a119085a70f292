/**
 * The inside of one JSON string, key or value, from after its opening quote to its closing quote. Decided text is
 * gathered in `piece`; undecided text (half an escape, a high surrogate whose partner may follow) is held back for the
 * next chunk, wherever the text was cut. It never keeps the string itself: the caller takes each piece. A closed string
 * leaves no state.
 */
import {
  hexDigit,
  isHighSurrogate,
  plainEscape,
  standsForItself,
  UNICODE_ESCAPE_LENGTH,
} from "./escape.js";
import { LongText } from "./longText.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;

/** From this many characters on the engine's searches are worth their calls. */
const LONG = 32;
/** This much of a string that starts inside a chunk is read by character: most such strings end there. */
const SHORT = 16;

/** The class of a character in a string, by UTF-16 code unit: a lookup costs the same for each. */
const kinds = new Uint8Array(0x10000);
/** Half of a character whose other half may follow. */
const HIGH_SURROGATE = 1;
/** Ends the string, starts an escape or is invalid; all others mean themselves. */
const SPECIAL = 2;
kinds
  .fill(SPECIAL, 0, 0x20)
  .fill(SPECIAL, QUOTE, QUOTE + 1)
  .fill(SPECIAL, BACKSLASH, BACKSLASH + 1);
kinds.fill(HIGH_SURROGATE, 0xd800, 0xdc00);

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
  private readonly long = new LongText();

  /**
   * How much of a short chunk is plain content, 0 if something is held back: its whole length for the usual chunk of a
   * long string, which then needs no `read`.
   */
  contentEnd(chunk: string): number {
    const end = chunk.length;
    if (this.undecided !== 0 || end >= LONG) return 0;
    let at = 0;
    while (at < end && kinds[chunk.charCodeAt(at)] === 0) at++;
    return at;
  }

  /**
   * Reads the chunk on from `run`, up to which it is content, over plain escapes too. Returns the first
   * index that `read` has to decide about, the chunk's length when there is none.
   */
  readContent(chunk: string, run: number): number {
    if (this.heldSource !== 0 || this.escapeSource > 1) return 0;
    if (chunk.length < LONG) return this.readShort(chunk, run);
    return this.escapeSource === 0 ? this.readLong(chunk, 0) : 0;
  }

  /** The text decided since the last call. */
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

  /** `readContent` by character, over a plain escape that is cut as well. */
  private readShort(chunk: string, run: number): number {
    const end = chunk.length;
    let piece = "";
    let start = 0;
    let at = run;
    if (this.escapeSource !== 0) {
      piece = plainEscape(chunk.charCodeAt(0));
      if (piece === "") return 0;
      this.escapeSource = 0;
      start = 1;
      at = 1;
    }
    for (;;) {
      at = runEnd(chunk, at, end);
      if (at + 1 >= end || chunk.charCodeAt(at) !== BACKSLASH) break;
      const code = chunk.charCodeAt(at + 1);
      const plain = plainEscape(code);
      if (plain === "") break;
      if (at > start) piece += chunk.slice(start, at);
      start = at + 1;
      at += 2;
      if (standsForItself(code)) continue;
      piece += plain;
      start = at;
    }
    if (at > start && isHighSurrogate(chunk.charCodeAt(at - 1))) at--;
    if (at > start) piece += chunk.slice(start, at);
    this.piece = piece;
    if (at + 1 !== end || chunk.charCodeAt(at) !== BACKSLASH) return at;
    this.escapeSource = 1;
    return end;
  }

  /** The same for a long chunk, from any place in it; only while nothing is held back. */
  private readLong(chunk: string, from: number): number {
    const long = this.long;
    long.read(chunk, from);
    this.piece += long.piece;
    return long.stop;
  }

  /** Continues in an escape; on return the escape or the chunk is over, or `at` is where it broke. */
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

  /** No partner follows: the held character is alone, or before the partner just read. */
  private release(): void {
    this.piece += this.held;
    this.held = "";
    this.heldSource = 0;
  }
}

/** Where the plain characters end, at `end` at the latest. */
function runEnd(chunk: string, from: number, end: number): number {
  let at = from;
  while (at < end && kinds[chunk.charCodeAt(at)] !== SPECIAL) at++;
  return at;
}
