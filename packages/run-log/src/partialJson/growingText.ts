/**
 * A string that grows by small pieces and can be read after each. Engines join strings by reference: every piece would
 * stay in memory as an object as long as the whole string. So a long string is a settled head and a short tail, and only
 * the tail is flattened again when it has grown. The whole is never read here: that would cost its length.
 */

/** How many characters a piece counts for beside its own: what the engine keeps to join it. */
const PIECE = 8;
/** Up to this size a string is left as the engine joins it: laying it out would cost more. */
const LARGEST_WHOLE = 1_048_576;
/** From this size on the tail of a longer one is laid out. */
const LARGEST_TAIL = 4096;
/** Longer strings stay as they are when they end: the code that reads one flattens it. */
const SHORT = 256;

export class GrowingText {
  /**
   * The first character of what was laid out last: reading one makes the engine lay out all pieces as
   * one string, and keeping it gives the reading a use.
   */
  settledAt = 0;
  private head = "";
  private tail = "";
  /** How much the tail may still grow while it is the whole. */
  private room = LARGEST_WHOLE;
  /** How many pieces the tail has beside a head. */
  private tailPieces = 0;

  begin(text: string): void {
    this.head = "";
    this.tail = text;
    this.room = LARGEST_WHOLE;
  }

  /** Returns the whole. */
  append(text: string): string {
    const tail = this.tail + text;
    this.tail = tail;
    this.room -= text.length + PIECE;
    return this.room > 0 ? tail : this.joined();
  }

  /** The string is whole. A short one is laid out: as pieces it takes many times its size. */
  end(): void {
    if (this.tail.length < SHORT) this.settledAt = this.tail.charCodeAt(0);
  }

  /** The whole of a long string: every piece from now on comes here. */
  private joined(): string {
    this.room = 0;
    this.tailPieces++;
    if (this.head === "" || this.tail.length + this.tailPieces * PIECE > LARGEST_TAIL) {
      this.settledAt = this.tail.charCodeAt(0);
      this.head += this.tail;
      this.tail = "";
      this.tailPieces = 0;
    }
    return this.head + this.tail;
  }
}
