/**
 * The lines of a stream: JSON, each with its position in the log. A draft is a line that is not written yet: while it is
 * held, the next delta may join it.
 */
import type { RunEvent } from "@callboard/run-log";
import type { Cursor } from "./cursor.js";

interface Place {
  /** The position in the log; of the last one where deltas were merged. */
  readonly seq: number;
  /** Which of its position's lines it is, from 0. */
  readonly index: number;
  readonly isLast: boolean;
  /** It is the last line of the run. */
  readonly isEnd?: boolean;
  /** It is the last line of a turn: the run waits for someone. */
  readonly isPause?: boolean;
  /** The run waits for someone after it: a pause, or what a background call printed after one. */
  readonly isWaiting?: boolean;
}

export interface Draft extends Place {
  /** For a delta that is its position's only line: deltas of one target can be merged. */
  readonly delta?: { readonly target: string; readonly text: string };
  /** The line's JSON; for a delta with the text and the position that it has grown to. */
  readonly json: (grown?: { readonly text: string; readonly seq: number }) => string;
}

export interface Line extends Place {
  /** The first position in it. */
  readonly from: number;
  readonly json: string;
}

/** Turns the events of one log, from its first, into the drafts of one format. */
export interface LineMaker {
  push(event: RunEvent): readonly Draft[];
  /** The last message with which the person started another turn in the run. */
  readonly answering?: string | undefined;
}

/** Only what follows a message that starts another turn, and the end of the run. */
export function linesSince(maker: LineMaker, messageId: string): LineMaker {
  let hasBegun = false;
  return {
    push(event) {
      const drafts = maker.push(event);
      const isShown = hasBegun || event.type === "run.closed";
      hasBegun ||= maker.answering === messageId;
      return isShown ? drafts : [];
    },
  };
}

/** The content of an output and, if it is a delta, the text that it belongs to. */
export type Written = Pick<Draft, "delta" | "json">;

/** Where a stream in turns is after an event. */
export interface TurnPlace {
  readonly isPaused: boolean;
  readonly isWaiting: boolean;
}

const withinTurn: TurnPlace = { isPaused: false, isWaiting: false };

/** The drafts of one event. */
export function draftsOf(
  { seq, type }: RunEvent,
  written: readonly Written[],
  { isPaused, isWaiting }: TurnPlace = withinTurn,
): readonly Draft[] {
  const [only] = written;
  const isEnd = type === "run.closed";
  if (written.length === 1 && only) {
    return [{ seq, index: 0, isLast: true, isEnd, isPause: isPaused, isWaiting, ...only }];
  }
  return written.map(({ json }, index) => {
    const isLast = index === written.length - 1;
    const ends = { isEnd: isEnd && isLast, isPause: isPaused && isLast, isWaiting };
    return { seq, index, isLast, ...ends, json };
  });
}

export function numberedLineOf(draft: Draft): Line {
  const { seq, index, isLast, isEnd = false, isPause = false, isWaiting = false, json } = draft;
  return { seq, from: seq, index, isLast, isEnd, isPause, isWaiting, json: json() };
}

/** Where a reader is that has received this line and everything before it. */
export function cursorAfter({ seq, index, isLast }: Place): Cursor {
  return isLast ? { seq, lines: 0 } : { seq: seq - 1, lines: index + 1 };
}
