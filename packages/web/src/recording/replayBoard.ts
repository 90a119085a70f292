/**
 * A board that shows a tape at its position: the components of the live board draw a replay too. It watches nothing and
 * receives nothing; it changes when the tape is moved.
 */
import type { Board, ConversationView, Turn } from "@callboard/client";
import type { ShownMoment } from "../shell/moment.js";
import type { Moment } from "./tape.js";

export interface ReplayBoard extends Board, ShownMoment {
  /** `now` is the time then. */
  show(moment: Moment, now: number): void;
}

/** The connection to the server and its state stay with the live board. */
export function createReplayBoard(live: Board, first: Moment, firstNow: number): ReplayBoard {
  const listeners = new Set<() => void>();
  let moment = first;
  let now = firstNow;
  let view: ConversationView | undefined;
  let turns: readonly Turn[] | undefined;

  const runOf = (runId: string) => moment.runs.find((run) => run.view.runId === runId);
  /** Providers repeat call ids between runs: without a run the last one is used. */
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
