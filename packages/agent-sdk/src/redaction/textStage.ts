/**
 * A step that processes text in pieces. The output does not depend on how the text is split, and `flush` returns what
 * was held back. Its cost and its memory do not grow with the earlier text.
 */
export interface TextStage {
  push(text: string): string;
  /** The end of the text; the stage is as new afterwards. */
  flush(): string;
}
