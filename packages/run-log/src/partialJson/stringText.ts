/**
 * The inside of one JSON string, key or value, from after its opening quote to its closing quote.
 * What a chunk decides is gathered in `piece`; what it leaves undecided (half an escape, a high
 * surrogate whose partner may follow) is held back for the next chunk, however the text was cut.
 * It never keeps the string itself: the caller takes `piece` and empties it. A closed string leaves
 * nothing behind, so the next one begins where it ended.
 */
import { hexDigit, isHighSurrogate, plainEscape } from "./escape.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** Backslash, `u` and four digits. */
const UNICODE_ESCAPE_LENGTH = 6;

/** From this many characters on the engine's parser is worth its call. */
export const BLOCK = 48;

export const OPEN = 0;
export const CLOSED = 1;
export const BROKEN = 2;

export class StringText {
  piece = "";
  /** Where the last `read` stopped: after the quote, at the offending character or at the end. */
  stop = 0;
  private held = "";
  private heldSource = 0;
  /** How many characters of an escape have been read; 0 outside of one. */
  private escapeSource = 0;
  private escapeUnit = 0;

  /**
   * How far the chunk, if nothing is held back, is content as it stands; its length when the chunk
   * neither ends the string nor leaves anything undecided.
   */
  contentEnd(chunk: string): number {
    if (this.heldSource !== 0 || this.escapeSource !== 0) return 0;
    const at = runEnd(chunk, 0);
    return at > 0 && isHighSurrogate(chunk.charCodeAt(at - 1)) ? at - 1 : at;
  }

  /** How many characters of source at the end of the text are held back. */
  get undecided(): number {
    return this.heldSource + this.escapeSource;
  }

  /** Whether the character that broke the string stood inside an escape. */
  get isInEscape(): boolean {
    return this.escapeSource !== 0;
  }

  /** Reads on from `from`; the characters up to `run` are known to be content. */
  read(chunk: string, from: number, run: number): number {
    const end = chunk.length;
    let start = from;
    let at = run;
    let triesBlocks = end - from >= BLOCK;
    for (;;) {
      if (this.escapeSource !== 0) {
        at = this.readEscape(chunk, at);
        if (this.escapeSource !== 0) return this.stopAt(at, at === end ? OPEN : BROKEN);
        start = at;
      }
      if (triesBlocks && (from === 0 || at - from >= BLOCK)) {
        start = this.readBlock(chunk, at);
        triesBlocks = start > at;
        at = start;
      }
      at = runEnd(chunk, at);
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

  /**
   * Gives as much as possible of a long chunk to the engine's own parser and returns where that ends:
   * at `from` when it is too little to be worth the call, or broken (the slow way finds the place).
   */
  private readBlock(chunk: string, from: number): number {
    const end = blockEnd(chunk, from);
    if (end - from < BLOCK) return from;
    let text: string;
    try {
      text = JSON.parse(`"${chunk.slice(from, end)}"`);
    } catch {
      return from;
    }
    if (this.heldSource !== 0) this.release();
    const last = text.length - 1;
    if (isHighSurrogate(text.charCodeAt(last))) {
      this.held = text.charAt(last);
      this.heldSource = isHighSurrogate(chunk.charCodeAt(end - 1)) ? 1 : UNICODE_ESCAPE_LENGTH;
      text = text.slice(0, last);
    }
    this.piece += text;
    return end;
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

/** Where the string ends or, when it does not, where the last escape that is whole ends. */
function blockEnd(chunk: string, from: number): number {
  let quote = chunk.indexOf('"', from);
  while (quote !== -1) {
    if (!isEscaped(chunk, from, quote)) return quote;
    quote = chunk.indexOf('"', quote + 1);
  }
  const end = chunk.length;
  for (let at = end - 1; at >= from && at > end - UNICODE_ESCAPE_LENGTH; at--) {
    if (chunk.charCodeAt(at) !== BACKSLASH || isEscaped(chunk, from, at)) continue;
    const length = chunk.charCodeAt(at + 1) === LETTER_U ? UNICODE_ESCAPE_LENGTH : 2;
    return at + length > end ? at : end;
  }
  return end;
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(chunk: string, from: number, at: number): boolean {
  let start = at;
  while (start > from && chunk.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

/** Where the characters that stand for themselves end. */
function runEnd(chunk: string, from: number): number {
  const end = chunk.length;
  let at = from;
  while (at < end) {
    const code = chunk.charCodeAt(at);
    if (code <= BACKSLASH && (code === QUOTE || code === BACKSLASH || code < 0x20)) break;
    at++;
  }
  return at;
}
