/**
 * A string that grows by small pieces and can be seen after each.
 * Engines join strings by reference: every piece would stay behind as an object for as long as the
 * whole lives. So a long string is a settled head and a short tail, and only the tail, never the
 * head, is laid out anew when it has grown. The whole is never read here: that would cost its length.
 */

/** Strings below this length are left as the engine joins them: the copying would cost more. */
const FIRST_SEGMENT = 131_072;
const SEGMENT = 2048;

export class GrowingText {
  /** Written so that the reading in `settle` has a use and is not optimised away. */
  settledAt = 0;
  private head = "";
  private tail = "";
  private room = FIRST_SEGMENT;

  begin(text: string): void {
    this.head = "";
    this.tail = text;
    this.room = FIRST_SEGMENT;
  }

  /** Returns the whole. */
  append(text: string): string {
    this.tail += text;
    if (this.tail.length > this.room) this.settle();
    return this.head.length === 0 ? this.tail : this.head + this.tail;
  }

  private settle(): void {
    // Reading one character makes the engine lay out the tail's pieces as one string.
    this.settledAt = this.tail.charCodeAt(0);
    this.head += this.tail;
    this.tail = "";
    this.room = SEGMENT;
  }
}
