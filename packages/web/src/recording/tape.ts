/**
 * A recorded stream that can be shown at any moment: the state after its first lines. It uses the same fold as a live
 * page; there is no second way to draw a replay. Folds are stored every so many lines, so that a jump costs at most that
 * many.
 */
import type { RunFold } from "@callboard/client";
import type { CallTrack } from "@callboard/run-log/projections";
import type { CallKey } from "../board/trackKey.js";

/** One line of a recording or of a log, as the event list shows it. */
export interface LogLine {
  readonly at: number;
  readonly type: string;
  /** As it was recorded. */
  readonly text: string;
  /** The short form; the whole if it is absent. */
  readonly glance?: string;
  readonly runId?: string;
  readonly callId?: string;
  /** The checker's findings here. */
  readonly problems?: readonly LineProblem[];
}

export interface LineProblem {
  readonly text: string;
  /** Its call, if it concerns one. */
  readonly call?: CallKey;
}

/** The visible state. */
export interface Moment {
  readonly tracks: readonly CallTrack[];
  /** The messages of a chat; empty if the stream contains only calls. */
  readonly runs: readonly RunFold[];
}

/** Takes one line after the other. A line that does not concern it changes nothing. */
export interface TapeFold {
  push(index: number): void;
  moment(): Moment;
  /** The same so far; what is pushed to either is not pushed to the other. */
  copy(): TapeFold;
}

export interface Tape {
  readonly lines: readonly LogLine[];
  /** The state after the first `position` lines: valid until the next moment is requested. */
  at(position: number): Moment;
}

/** Lines between two folds that are kept. */
export const keptEvery = 128;

export function createTape(lines: readonly LogLine[], start: TapeFold): Tape {
  /** After 0, 128, 256 … lines. */
  const kept = [start.copy()];
  let fold = start;
  let folded = 0;
  let shown: { readonly position: number; readonly moment: Moment } | undefined;

  function goNear(position: number): void {
    const place = Math.min(kept.length - 1, Math.floor(position / keptEvery));
    const nearest = kept[place];
    const isNearer = folded > position || place * keptEvery > folded;
    if (!nearest || !isNearer) return;
    fold = nearest.copy();
    folded = place * keptEvery;
  }

  return {
    lines,
    at(asked) {
      const position = Math.min(lines.length, Math.max(0, asked));
      if (shown?.position === position) return shown.moment;
      goNear(position);
      while (folded < position) {
        fold.push(folded);
        folded += 1;
        if (folded === kept.length * keptEvery) kept.push(fold.copy());
      }
      shown = { position, moment: fold.moment() };
      return shown.moment;
    },
  };
}
