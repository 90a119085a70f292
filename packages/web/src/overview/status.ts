/**
 * The state of a conversation, for lists: from the stream, otherwise from the stored rows. Each state has a word of its
 * own; it is never shown by colour alone.
 */
import {
  type Board,
  type ConversationRow,
  type ConversationView,
  topicOf,
} from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import type { CallTrack } from "@callboard/run-log/projections";
import { useCallback, useSyncExternalStore } from "react";
import { usePaced } from "../shell/usePaced.js";

export const statuses = ["waiting", "running", "failed", "stopped", "done", "empty"] as const;
export type Status = (typeof statuses)[number];

export const statusWords: Readonly<Record<Status, string>> = {
  waiting: "needs you",
  running: "running",
  failed: "failed",
  stopped: "stopped",
  done: "done",
  empty: "empty",
};

/** The state from the stream; undefined if the stream does not contain this conversation. */
export function liveStatus(
  view: ConversationView,
  questions: readonly CallTrack[],
): Status | undefined {
  const last = view.runs.at(-1);
  if (!last || last.status === "unstarted") return view.isRunning ? "running" : undefined;
  const ids = new Set(view.runs.map(({ runId }) => runId));
  if (questions.some(({ runId }) => ids.has(runId))) return "waiting";
  if (view.isRunning) return "running";
  switch (last.outcome) {
    case undefined:
      return undefined;
    case "ok":
      return "done";
    case "cancelled":
    case "interrupted":
      return "stopped";
    case "error":
    case "timeout":
    case "limit":
      return "failed";
    default:
      return last.outcome satisfies never;
  }
}

export function storedStatus({ runs }: Pick<ConversationRow, "runs">): Status {
  if (!runs) return "empty";
  if (runs.open > 0) return "running";
  switch (runs.last_status) {
    case "pending":
      return "running";
    case "failed":
      return "failed";
    case "cancelled":
      return "stopped";
    case "completed":
      return "done";
    default:
      return runs.last_status satisfies never;
  }
}

function conversationStatusOf(board: Board, row: Pick<ConversationRow, "id" | "runs">): Status {
  return liveStatus(board.conversation(row.id), board.questions()) ?? storedStatus(row);
}

/** Of several, in their order; renders only when one of them changes. */
export function useStatuses(
  rows: readonly Pick<ConversationRow, "id" | "runs">[],
): readonly Status[] {
  const board = useBoard();
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = [topicOf.conversations, topicOf.questions].map((topic) =>
        board.subscribe(topic, listener),
      );
      return () => {
        for (const stop of stops) stop();
      };
    },
    [board],
  );
  const read = (): string => rows.map((row) => conversationStatusOf(board, row)).join(" ");
  const words = useSyncExternalStore(subscribe, read, () => "").split(" ");
  return rows.map((_, index) => statuses.find((status) => status === words[index]) ?? "empty");
}

/** Lists are read again at most this often, however many runs start and end meanwhile. */
const activityPaceMs = 400;

/** Changes after any run started or ended: the stored rows are then outdated. */
export function useActivityMark(): string {
  const board = useBoard();
  const subscribe = useCallback(
    (listener: () => void) => board.subscribe(topicOf.conversations, listener),
    [board],
  );
  const read = (): string =>
    board
      .conversations()
      .map(({ conversationId, isRunning, runs }) => `${conversationId}${isRunning}${runs.length}`)
      .join(" ");
  return usePaced(
    useSyncExternalStore(subscribe, read, () => ""),
    activityPaceMs,
  );
}
