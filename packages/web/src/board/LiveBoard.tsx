/** The board of a conversation: live, or replayed from what is stored. */
import {
  CallboardProvider,
  type Conversation,
  useBoard,
  useToolCalls,
  useTurns,
} from "@callboard/client/react";
import type { RunEvent } from "@callboard/run-log";
import { useCallback, useEffect, useMemo, useState } from "react";
import { lineOfEvent, logTapeOf } from "../recording/logTape.js";
import { ReplayBar } from "../recording/ReplayBar.js";
import type { ReplayBoard } from "../recording/replayBoard.js";
import { useReplay } from "../recording/useReplay.js";
import { addressOf } from "../shell/route.js";
import { useKeys } from "../shell/useKeys.js";
import { useNow } from "../shell/useNow.js";
import { Board, type BoardProps } from "./Board.js";
import type { CallKey } from "./trackKey.js";
import { useStoredEvents } from "./useStoredEvents.js";

export interface LiveBoardProps
  extends Required<Pick<BoardProps, "selected" | "onSelect" | "onShowRun">> {
  readonly conversation: Conversation;
  /** Absent for who may only read. */
  readonly onRunAgain?: BoardProps["onRunAgain"];
  /** Links lead to the visitor's page. */
  readonly isVisit?: true;
  readonly isReplayed: boolean;
  readonly onReplayed: (isReplayed: boolean) => void;
  /** Told of the board that shows the replay, and when it is over. */
  readonly onReplayBoard: (board: ReplayBoard | undefined) => void;
}

export default function LiveBoard(props: LiveBoardProps) {
  const { conversation, selected, onSelect, onRunAgain, onShowRun, isVisit } = props;
  const { isReplayed, onReplayed, onReplayBoard } = props;
  const { conversationId, runs, isRunning } = conversation;
  const board = useBoard();
  const tracks = useToolCalls(conversationId);
  const turns = useTurns(conversationId);
  const now = useNow(isRunning);
  const [areLinesWanted, setAreLinesWanted] = useState(false);
  // The runs change with their events; their identity does not.
  const ids = runs.map(({ runId }) => runId).join(" ");
  const runIds = useMemo(() => (ids === "" ? [] : ids.split(" ")), [ids]);
  const { events, problem } = useStoredEvents(runIds, isRunning, areLinesWanted || isReplayed);
  const lines = useMemo(() => events?.map(lineOfEvent), [events]);
  const modelOf = useCallback((runId: string) => board.run(runId)?.model, [board]);
  const linkOf = useCallback(
    ({ runId, callId }: CallKey) =>
      conversationId === undefined
        ? ""
        : addressOf({ conversationId, runId, callId, ...(isVisit && { isVisit }) }),
    [conversationId, isVisit],
  );
  const onWantLines = useCallback(() => setAreLinesWanted(true), []);
  const onLive = useCallback(() => onReplayed(false), [onReplayed]);
  const shared = { selected, onSelect, onShowRun, modelOf, linkOf };

  if (isReplayed && events) return <Replay {...shared} {...{ events, onLive, onReplayBoard }} />;
  return (
    <Board
      {...shared}
      {...{ tracks, turns, now, runs, lines, onWantLines }}
      {...(onRunAgain && { onRunAgain })}
    >
      {problem !== undefined && (
        <p role="alert" className="px-3 py-1 text-failed text-sm">
          {problem}
        </p>
      )}
      {runs.length > 0 && (
        <button type="button" className="button" onClick={() => onReplayed(true)}>
          {isReplayed && problem === undefined ? "Reading the log…" : "Replay"}
        </button>
      )}
    </Board>
  );
}

interface ReplayProps
  extends Pick<BoardProps, "selected" | "onSelect" | "onShowRun" | "modelOf" | "linkOf">,
    Pick<LiveBoardProps, "onReplayBoard"> {
  readonly events: readonly RunEvent[];
  readonly onLive: () => void;
}

/** Later events are not part of it: it shows what was stored when it started. */
function Replay({ events, onLive, onReplayBoard, ...shared }: ReplayProps) {
  const [tape] = useState(() => logTapeOf(events));
  const { playback, moment, board } = useReplay(tape);
  useEffect(() => {
    onReplayBoard(board);
    return () => onReplayBoard(undefined);
  }, [board, onReplayBoard]);
  useKeys([
    ["l", onLive],
    ["ArrowLeft", () => playback.seek(playback.position - 1)],
    ["ArrowRight", () => playback.seek(playback.position + 1)],
  ]);
  return (
    <CallboardProvider board={board}>
      <Board
        {...shared}
        tracks={moment.tracks}
        turns={moment.runs.flatMap(({ turns }) => turns)}
        runs={moment.runs.map(({ view }) => view)}
        now={playback.now}
        lines={tape.lines}
        replay={<ReplayBar playback={playback} lines={tape.lines} />}
      />
    </CallboardProvider>
  );
}
