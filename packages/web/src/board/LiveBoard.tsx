/** The board of a conversation: live, or replayed from what is stored. */
import { type Conversation, useBoard, useToolCalls } from "@callboard/client/react";
import type { RunEvent } from "@callboard/run-log";
import { useCallback, useMemo, useState } from "react";
import { lineOfEvent, logTapeOf } from "../recording/logTape.js";
import { ReplayBar } from "../recording/ReplayBar.js";
import { usePlayback } from "../recording/usePlayback.js";
import { useNow } from "../shell/useNow.js";
import { Board, type BoardProps } from "./Board.js";
import { useStoredEvents } from "./useStoredEvents.js";

export interface LiveBoardProps
  extends Required<Pick<BoardProps, "selected" | "onSelect" | "onRunAgain">> {
  readonly conversation: Conversation;
}

export default function LiveBoard(props: LiveBoardProps) {
  const { conversation, selected, onSelect, onRunAgain } = props;
  const { conversationId, runs, isRunning } = conversation;
  const board = useBoard();
  const tracks = useToolCalls(conversationId);
  const now = useNow(tracks.some(({ closedAt }) => closedAt === undefined));
  const [areLinesWanted, setAreLinesWanted] = useState(false);
  const [isReplayed, setIsReplayed] = useState(false);
  const runIds = useMemo(() => runs.map(({ runId }) => runId), [runs]);
  const { events, problem } = useStoredEvents(runIds, isRunning, areLinesWanted || isReplayed);
  const lines = useMemo(() => events?.map(lineOfEvent), [events]);
  const modelOf = useCallback((runId: string) => board.run(runId)?.model, [board]);
  const onWantLines = useCallback(() => setAreLinesWanted(true), []);
  const shared = { selected, onSelect, modelOf };

  if (isReplayed && events)
    return (
      <Replay
        key={events.length}
        {...shared}
        events={events}
        onClose={() => setIsReplayed(false)}
      />
    );
  return (
    <Board {...shared} {...{ tracks, now, lines, onWantLines, onRunAgain }}>
      {problem !== undefined && (
        <p role="alert" className="px-3 py-1 text-failed text-sm">
          {problem}
        </p>
      )}
      {tracks.length > 0 && !isRunning && (
        <p className="border-line border-b px-3 py-1">
          <button type="button" className="button" onClick={() => setIsReplayed(true)}>
            {isReplayed ? "Reading the log…" : "Replay"}
          </button>
        </p>
      )}
    </Board>
  );
}

interface ReplayProps extends Pick<BoardProps, "selected" | "onSelect" | "modelOf"> {
  readonly events: readonly RunEvent[];
  readonly onClose: () => void;
}

function Replay({ events, onClose, ...shared }: ReplayProps) {
  const tape = useMemo(() => logTapeOf(events), [events]);
  const playback = usePlayback(tape.lines, "end");
  return (
    <Board
      {...shared}
      tracks={tape.tracksAt(playback.position)}
      now={playback.now}
      lines={tape.lines}
    >
      <ReplayBar playback={playback} lines={tape.lines} />
      <p className="border-line border-b px-3 py-1">
        <button type="button" className="button" onClick={onClose}>
          Back to live
        </button>
      </p>
    </Board>
  );
}
