/**
 * One of `true`, `false` and `null`, possibly cut between chunks. Its first character decides which;
 * there is no value until the last one arrived.
 */
export class KeywordText {
  word = "";
  private count = 0;

  /** Starts after the first character. */
  begin(word: string): void {
    this.word = word;
    this.count = 1;
  }

  /** The characters still missing. */
  get rest(): string {
    return this.word.slice(this.count);
  }

  get isWhole(): boolean {
    return this.count === this.word.length;
  }

  get value(): boolean | null {
    return this.word === "null" ? null : this.word === "true";
  }

  /** Reads on and returns the first index that does not belong to the keyword. */
  read(chunk: string, from: number): number {
    let at = from;
    while (at < chunk.length && this.count < this.word.length) {
      if (chunk.charCodeAt(at) !== this.word.charCodeAt(this.count)) break;
      at++;
      this.count++;
    }
    return at;
  }
}

/** The keyword that starts with this character; "" if there is none. */
export function keywordFrom(code: number): string {
  switch (code) {
    case 0x74:
      return "true";
    case 0x66:
      return "false";
    case 0x6e:
      return "null";
    default:
      return "";
  }
}
