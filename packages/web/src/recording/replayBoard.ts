/**
 * A board that shows a tape where it stands: whatever draws the live board draws a replay too. It
 * watches nothing and hears of nothing; it changes when the tape is moved.
 */
import type { Board, ConversationView, Turn } from "@callboard/client";
import type { ShownMoment } from "../shell/moment.js";
import type { Moment } from "./tape.js";

export interface ReplayBoard extends Board, ShownMoment {
  /** `now` is the time then. */
  show(moment: Moment, now: number): void;
}

/** What is asked of the server, and how it is, stays with the live board. */
export function createReplayBoard(live: Board, first: Moment, firstNow: number): ReplayBoard {
  const listeners = new Set<() => void>();
  let moment = first;
  let now = firstNow;
  let view: ConversationView | undefined;
  let turns: readonly Turn[] | undefined;

  const runOf = (runId: string) => moment.runs.find((run) => run.view.runId === runId);
  /** Providers repeat call ids between runs: the last one is meant where no run is named. */
  const callOf = (callId: string, runId?: string) =>
    runId === undefined
      ? moment.tracks.findLast((track) => track.callId === callId)
      : runOf(runId)?.call(callId);

  function onMove(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    client: live.client,
    get connection() {
      return live.connection;
    },
    watchRun: () => () => undefined,
    watchConversation: () => () => undefined,
    watchMine: () => () => undefined,
    conversations: live.conversations,
    questions: live.questions,
    reconnect: live.reconnect,
    get now() {
      return now;
    },
    onMove,
    subscribe: (_, listener) => onMove(listener),
    run: (runId) => runOf(runId)?.view,
    text: (runId, partId) => runOf(runId)?.text(partId),
    call: callOf,
    conversation(conversationId) {
      view ??= {
        conversationId,
        runs: moment.runs.map((run) => run.view),
        isRunning: false,
        isLoaded: true,
      };
      return view;
    },
    calls: () => moment.tracks,
    turns() {
      turns ??= moment.runs.flatMap((run) => run.turns);
      return turns;
    },
    messages: () => moment.runs.flatMap(({ messages }) => messages),
    show(next, nextNow) {
      if (next === moment && nextNow === now) return;
      if (next !== moment) {
        view = undefined;
        turns = undefined;
      }
      moment = next;
      now = nextNow;
      for (const listener of listeners) listener();
    },
  };
}
