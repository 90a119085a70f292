/**
 * One key of an object, possibly cut between chunks.
 * Tools are called again and again with the same keys in the same order: a key is taken for the one that
 * came next the last time until it differs, and only then read in full. It knows nothing of the object
 * that the key belongs to.
 */
import { FIRST, type KnownKey, knownKeyOf, link } from "./knownKeys.js";
import { BROKEN, CLOSED, OPEN, type StringText } from "./stringText.js";

export class KeyText {
  /** The key last read. */
  known: KnownKey = FIRST;
  /** Where the last `read` stopped: after the quote, at the offending character or at the end. */
  stop = 0;
  private readonly string: StringText;
  /** The key that this one has been so far, and how much of its source has been met. */
  private expected: KnownKey | undefined = undefined;
  private met = 0;
  /** The characters of an unexpected key. */
  private text = "";

  constructor(string: StringText) {
    this.string = string;
  }

  /** Starts after the opening quote. */
  begin(): void {
    this.expected = this.known.next;
    this.met = 0;
    this.text = "";
  }

  /** Reads on from `from` and returns how that ended: `OPEN`, `CLOSED` or `BROKEN`. */
  read(chunk: string, from: number): number {
    const expected = this.expected;
    this.stop = from;
    if (expected !== undefined) {
      this.meet(chunk, expected.source);
      if (this.met === expected.source.length) {
        this.known = expected;
        return CLOSED;
      }
      if (this.stop === chunk.length) return OPEN;
      this.expected = undefined;
      this.text = expected.source.slice(0, this.met);
    }
    return this.readUnexpected(chunk);
  }

  /** Continues while the chunk is what was expected. */
  private meet(chunk: string, source: string): void {
    let at = this.stop;
    let met = this.met;
    if (met === 0 && chunk.startsWith(source, at)) {
      met = source.length;
      at += met;
    }
    while (at < chunk.length && met < source.length) {
      if (chunk.charCodeAt(at) !== source.charCodeAt(met)) break;
      at++;
      met++;
    }
    this.stop = at;
    this.met = met;
  }

  private readUnexpected(chunk: string): number {
    const outcome = this.string.read(chunk, this.stop);
    this.stop = this.string.stop;
    if (outcome === BROKEN) return BROKEN;
    this.text += this.string.take();
    if (outcome === OPEN) return OPEN;
    const key = knownKeyOf(this.text);
    link(this.known, key);
    this.known = key;
    return CLOSED;
  }
}
