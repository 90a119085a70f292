/**
 * A recorded stream that can be looked at as it was at any moment: what its first lines showed. It
 * comes from the same fold that a live page uses; there is no second way to draw a replay. Folds are
 * kept every so many lines, so that going back or far on costs at most that many.
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
  /** What of it is worth a glance; the whole where it is absent. */
  readonly glance?: string;
  readonly runId?: string;
  readonly callId?: string;
  /** What the checker found here. */
  readonly problems?: readonly LineProblem[];
}

export interface LineProblem {
  readonly text: string;
  /** The call that it is about, where it is about one. */
  readonly call?: CallKey;
}

/** What was to be seen. */
export interface Moment {
  readonly tracks: readonly CallTrack[];
  /** As a chat shows them; none where the stream tells of calls alone. */
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
  /** What the first `position` lines showed: valid until the next moment is asked for. */
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
