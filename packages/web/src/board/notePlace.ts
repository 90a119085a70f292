/** The position of a bar's text: after it, before it, on it, or hidden if it would not be readable. */
export interface NotePlaceOptions {
  /** Of the column: the start and end of the bars. */
  readonly start: number;
  readonly end: number;
  readonly chars: number;
  /** Of the column, in pixels; 0 if nothing is laid out. */
  readonly width: number;
}

/** About what a character and the space around the words take, in pixels. */
const charWidth = 6;
const padding = 12;
/** A shorter text is not useful. */
const leastChars = 12;

export type NotePlace = "behind" | "before" | "on";

export function notePlace(options: NotePlaceOptions): NotePlace | undefined {
  const { chars, width } = options;
  const start = Math.max(0, options.start);
  const behind = 1 - Math.min(1, options.end);
  const roomier = behind >= start ? "behind" : "before";
  if (width === 0) return roomier;
  const needed = padding + chars * charWidth;
  if (behind * width >= needed) return "behind";
  const least = padding + Math.min(chars, leastChars) * charWidth;
  if (Math.max(behind, start) * width >= least) return roomier;
  return (1 - behind - start) * width >= needed ? "on" : undefined;
}
