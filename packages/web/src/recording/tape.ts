/**
 * A recorded stream that can be looked at as it was at any moment: the tracks after its first lines.
 * They come from the same fold that a live page uses; there is no second way to draw a replay.
 */
import type { CallTrack } from "@callboard/run-log";

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
  readonly problems?: readonly string[];
}

/** Takes one line after the other. A line that does not concern it changes nothing. */
export interface TrackFold {
  push(index: number): void;
  readonly tracks: readonly CallTrack[];
}

export interface Tape {
  readonly lines: readonly LogLine[];
  /** The tracks after the first `position` lines. */
  tracksAt(position: number): readonly CallTrack[];
}

export function createTape(lines: readonly LogLine[], createFold: () => TrackFold): Tape {
  let fold = createFold();
  let folded = 0;
  let shown: { readonly position: number; readonly tracks: readonly CallTrack[] } | undefined;
  return {
    lines,
    tracksAt(position) {
      if (shown?.position === position) return shown.tracks;
      if (position < folded) {
        fold = createFold();
        folded = 0;
      }
      for (; folded < Math.min(position, lines.length); folded += 1) fold.push(folded);
      shown = { position, tracks: fold.tracks };
      return shown.tracks;
    },
  };
}
