/**
 * A step that text goes through in pieces. Whatever the pieces, what comes out is the same, and
 * `flush` gives what was held back. Its cost and what it holds do not grow with what went before.
 */
export interface TextStage {
  push(text: string): string;
  /** The end of the text; the stage is as new afterwards. */
  flush(): string;
}
