/**
 * UTF-8 bytes to text, a sequence of one character possibly cut between two calls.
 * Strict: an ill-formed sequence stops it for good. It never replaces, skips or strips anything, so
 * a byte order mark arrives as the character it is.
 */

/** Code units turned into text at once; small enough for one call's arguments. */
const BLOCK = 4096;

export class Utf8Text {
  /** Whether an ill-formed sequence was met; the text before it was returned. */
  isBroken: boolean = false;
  private readonly units = new Uint16Array(BLOCK);
  private missing = 0;
  private codePoint = 0;
  private lowest = 0x80;
  private highest = 0xbf;

  /** Whether the bytes so far stop inside a character. */
  get isInside(): boolean {
    return this.missing !== 0;
  }

  read(bytes: Uint8Array): string {
    const units = this.units;
    let text = "";
    let count = 0;
    for (const byte of bytes) {
      if (this.isBroken) break;
      if (this.missing === 0 && byte < 0x80) units[count++] = byte;
      else if (this.missing === 0) this.readLead(byte);
      else if (this.readContinuation(byte)) {
        if (this.codePoint > 0xffff) {
          units[count++] = 0xd7c0 + (this.codePoint >> 10);
          units[count++] = 0xdc00 + (this.codePoint & 0x3ff);
        } else {
          units[count++] = this.codePoint;
        }
      }
      if (count > BLOCK - 2) {
        text += String.fromCharCode(...units.subarray(0, count));
        count = 0;
      }
    }
    return text + String.fromCharCode(...units.subarray(0, count));
  }

  private readLead(byte: number): void {
    this.lowest = 0x80;
    this.highest = 0xbf;
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.missing = 1;
      this.codePoint = byte & 0x1f;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      this.missing = 2;
      this.codePoint = byte & 0x0f;
      if (byte === 0xe0) this.lowest = 0xa0;
      if (byte === 0xed) this.highest = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      this.missing = 3;
      this.codePoint = byte & 0x07;
      if (byte === 0xf0) this.lowest = 0x90;
      if (byte === 0xf4) this.highest = 0x8f;
    } else {
      this.isBroken = true;
    }
  }

  /** Returns whether the byte finished its character. */
  private readContinuation(byte: number): boolean {
    if (byte < this.lowest || byte > this.highest) {
      this.isBroken = true;
      this.missing = 0;
      return false;
    }
    this.lowest = 0x80;
    this.highest = 0xbf;
    this.codePoint = (this.codePoint << 6) | (byte & 0x3f);
    this.missing--;
    return this.missing === 0;
  }
}
