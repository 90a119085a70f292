/** A tape with a position: its state then, and a board that shows just that. */
import { useBoard } from "@callboard/client/react";
import { useLayoutEffect, useState } from "react";
import { createReplayBoard, type ReplayBoard } from "./replayBoard.js";
import type { Moment, Tape } from "./tape.js";
import { type Playback, usePlayback } from "./usePlayback.js";

export interface Replay {
  readonly playback: Playback;
  readonly moment: Moment;
  readonly board: ReplayBoard;
}

export function useReplay(tape: Tape, hasTimes = true): Replay {
  const live = useBoard();
  const playback = usePlayback(tape.lines, "end", hasTimes);
  const moment = tape.at(playback.position);
  const { now } = playback;
  const [board] = useState(() => createReplayBoard(live, moment, now));
  useLayoutEffect(() => board.show(moment, now), [board, moment, now]);
  return { playback, moment, board };
}
