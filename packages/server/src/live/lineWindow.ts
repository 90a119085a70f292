/**
 * The newest lines of a stream, up to a size. Lines are counted from 0 over the whole stream; the oldest are dropped
 * first, one position at a time, so that the window never starts inside one.
 */
import type { Cursor } from "../streams/cursor.js";
import type { Line } from "../streams/line.js";

export interface LineWindow {
  /** The number of the oldest line that is kept, and of the line that comes next. */
  readonly start: number;
  readonly end: number;
  /** Everything up to this position has left the window. */
  readonly floor: number;
  push(line: Line): void;
  /** Lines from a number on; at most so many characters of them, but at least one. */
  slice(from: number, maxChars?: number): readonly Line[];
  placeOf(cursor: Cursor): Place;
}

/**
 * Where a reader continues: with a line of the window, or with the next line, or only after it received everything up to
 * a position from the store.
 */
export type Place =
  | { readonly type: "line"; readonly number: number }
  | { readonly type: "wait" }
  | { readonly type: "replay"; readonly to: number };

export function createWindow(maxChars: number): LineWindow {
  let lines: (Line | undefined)[] = [];
  /** How many of `lines` have left: their places are empty, and cut off now and then. */
  let left = 0;
  let start = 0;
  let chars = 0;
  let floor = 0;

  function leave(): void {
    chars -= lines[left]?.json.length ?? 0;
    lines[left] = undefined;
    left += 1;
    start += 1;
    if (left > 1_024 && left > lines.length / 2) {
      lines = lines.slice(left);
      left = 0;
    }
  }

  function trim(): void {
    while (chars > maxChars && left < lines.length - 1) {
      floor = Math.max(floor, lines[left]?.seq ?? 0);
      leave();
    }
    // Never starts inside a position: the rest of it is dropped too.
    while ((lines[left]?.index ?? 0) > 0 && left < lines.length - 1) leave();
  }

  /** The first kept line whose position is at least `seq`, as an index into `lines`. */
  function firstAt(seq: number): number {
    let low = left;
    let high = lines.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((lines[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get start() {
      return start;
    },
    get end() {
      return start + lines.length - left;
    },
    get floor() {
      return floor;
    },
    push(line) {
      lines.push(line);
      chars += line.json.length;
      trim();
    },
    slice(from, most = Number.POSITIVE_INFINITY) {
      const begin = Math.max(left + from - start, left);
      let end = begin;
      for (let taken = 0; end < lines.length && taken < most; end += 1) {
        taken += lines[end]?.json.length ?? 0;
      }
      return lines.slice(begin, end).filter((line) => line !== undefined);
    },
    placeOf({ seq, lines: received }) {
      if (seq < floor) return { type: "replay", to: floor };
      const at = firstAt(seq + 1);
      const line = lines[at];
      // Not before the next line is seen: it may start with what the reader already has.
      if (!line) return { type: "wait" };
      const number = start + at - left;
      if (line.seq === seq + 1 && received > 0) {
        // The reader has lines of this position: all of a merged one, or the first of several.
        const after = start + firstAt(seq + 2) - left;
        return { type: "line", number: Math.min(number + received, after) };
      }
      if (line.from > seq && received === 0) return { type: "line", number };
      return { type: "replay", to: line.seq };
    },
  };
}
