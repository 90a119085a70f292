/**
 * Hooks over the board. Each subscribes to exactly what it returns: a delta of one text renders who
 * shows that text, progress of one call renders who shows that call. On a server they give what is
 * known before anything was received.
 */

import type { CancelRequest, ExecuteRequest, Receipt } from "@callboard/run-log/http";
import type { CallTrack, Message } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { ConnectionView } from "../board/board.js";
import type { RunView, TextView } from "../board/runFold.js";
import type { ConversationView } from "../board/shown.js";
import { topicOf } from "../board/topics.js";
import type { Turn } from "../board/turns.js";
import type { CompactRequest, RunToolRequest } from "../http/requests.js";
import type { StartedRun } from "../runStream.js";
import { useBoard } from "./provider.js";

/** A snapshot of the board that follows one topic. On a server there is none. */
function useTopic<Value>(topic: string | undefined, read: () => Value, onServer: Value): Value {
  const board = useBoard();
  const subscribe = useCallback(
    (listener: () => void) =>
      topic === undefined ? () => undefined : board.subscribe(topic, listener),
    [board, topic],
  );
  return useSyncExternalStore(subscribe, read, () => onServer);
}

const idle: ConnectionView = { status: "idle" };

/** How the page's stream is: live, reconnecting, failed. */
export function useConnection(): ConnectionView {
  const board = useBoard();
  return useTopic(topicOf.connection, () => board.connection, idle);
}

export type SendOptions = Omit<ExecuteRequest, "user_input" | "conversation_id" | "on_disconnect">;

export interface Conversation extends Omit<ConversationView, "conversationId"> {
  /** Absent until a first message started the conversation. */
  readonly conversationId: string | undefined;
  /** Starts a run; resolves when the server has taken it, rejects when it has not. */
  readonly send: (
    input: ExecuteRequest["user_input"],
    options?: SendOptions,
  ) => Promise<StartedRun>;
  /**
   * Sends a message during a run: it waits for the end of the run, or for the running model's next answer. Rejects while
   * the conversation has not started.
   */
  readonly queue: (
    input: ExecuteRequest["user_input"],
    when: "queue" | "steer",
    options?: SendOptions,
  ) => Promise<void>;
  /** Runs one tool as the person; rejects while the conversation has not started. */
  readonly runTool: (request: RunToolRequest) => Promise<StartedRun>;
  /** Summarizes the conversation so far for the model; rejects if there is nothing to summarize. */
  readonly compact: (request?: CompactRequest) => Promise<StartedRun>;
  /** Ends what runs in it now. */
  readonly cancel: (reason?: string) => Promise<void>;
}

const none: Omit<ConversationView, "conversationId"> = {
  runs: [],
  isRunning: false,
  isLoaded: false,
};

/** Watches a conversation. Without an id it starts one with the first message that is sent. */
export function useConversation(conversationId?: string): Conversation {
  const board = useBoard();
  const [begunId, setBegunId] = useState<string | undefined>(undefined);
  const id = conversationId ?? begunId;
  useEffect(() => (id === undefined ? undefined : board.watchConversation(id)), [board, id]);
  const view = useTopic<Omit<ConversationView, "conversationId">>(
    id === undefined ? undefined : topicOf.conversation(id),
    () => (id === undefined ? none : board.conversation(id)),
    none,
  );
  const send = useCallback<Conversation["send"]>(
    async (input, options = {}) => {
      const request = id === undefined ? options : { ...options, conversation_id: id };
      const started = await board.client.start({ ...request, user_input: input });
      setBegunId(started.conversationId);
      return started;
    },
    [board, id],
  );
  const queue = useCallback<Conversation["queue"]>(
    async (input, when, options = {}) => {
      if (id === undefined)
        throw new Error("the conversation has not started: send a message first");
      await board.client.queue({ ...options, conversation_id: id, user_input: input }, when);
    },
    [board, id],
  );
  const runTool = useCallback<Conversation["runTool"]>(
    async (request) => {
      if (id === undefined) {
        throw new Error("the conversation has not started: send a message before a tool is run");
      }
      return board.client.runTool(id, request);
    },
    [board, id],
  );
  const compact = useCallback<Conversation["compact"]>(
    async (request) => {
      if (id === undefined)
        throw new Error("the conversation has not started: send a message first");
      return board.client.compact(id, request);
    },
    [board, id],
  );
  const cancel = useCallback<Conversation["cancel"]>(
    async (reason) => {
      if (id === undefined) return;
      const open = board.conversation(id).runs.filter(({ status }) => status === "open");
      const request = withoutUndefined({ reason });
      await Promise.all(open.map(({ runId }) => board.client.cancel(runId, request)));
    },
    [board, id],
  );
  return useMemo(
    () => ({ ...view, conversationId: id, send, queue, runTool, compact, cancel }),
    [view, id, send, queue, runTool, compact, cancel],
  );
}

export interface Run {
  /** Absent until the first of it was received. */
  readonly view: RunView | undefined;
  /** Ends the run, or one call of it. */
  readonly cancel: (request?: CancelRequest) => Promise<Receipt>;
}

/** Watches one run: its outline, not its texts and calls. */
export function useRun(runId: string): Run {
  const board = useBoard();
  useEffect(() => board.watchRun(runId), [board, runId]);
  const view = useTopic(topicOf.run(runId), () => board.run(runId), undefined);
  const cancel = useCallback<Run["cancel"]>(
    (request) => board.client.cancel(runId, request),
    [board, runId],
  );
  return useMemo(() => ({ view, cancel }), [view, cancel]);
}

/** One text of a run that is watched, as it grows. */
export function useText(runId: string, partId: string): TextView | undefined {
  const board = useBoard();
  return useTopic(topicOf.text(runId, partId), () => board.text(runId, partId), undefined);
}

/** One watched call. Providers repeat call ids between runs: without a run it is the newest call of this id. */
export function useToolCall(callId: string, runId?: string): CallTrack | undefined {
  const board = useBoard();
  return useTopic(topicOf.call(callId, runId), () => board.call(callId, runId), undefined);
}

const noCalls: readonly CallTrack[] = [];

/** Every call of a conversation that is watched: renders with every event of any of them. */
export function useToolCalls(conversationId: string | undefined): readonly CallTrack[] {
  const board = useBoard();
  return useTopic(
    conversationId === undefined ? undefined : topicOf.calls(conversationId),
    () => (conversationId === undefined ? noCalls : board.calls(conversationId)),
    noCalls,
  );
}

const noTurns: readonly Turn[] = [];

/** When the models of a watched conversation were called and answered. */
export function useTurns(conversationId: string | undefined): readonly Turn[] {
  const board = useBoard();
  return useTopic(
    conversationId === undefined ? undefined : topicOf.turns(conversationId),
    () => (conversationId === undefined ? noTurns : board.turns(conversationId)),
    noTurns,
  );
}

const noConversations: readonly ConversationView[] = [];

/** Watches all runs of the caller that are running or start later, from any client. */
export function useActivity(): readonly ConversationView[] {
  const board = useBoard();
  useEffect(() => board.watchMine(), [board]);
  return useTopic(topicOf.conversations, () => board.conversations(), noConversations);
}

/** The calls that wait for an answer, in everything that is watched. */
export function useQuestions(): readonly CallTrack[] {
  const board = useBoard();
  return useTopic(topicOf.questions, () => board.questions(), noCalls);
}

const noMessages: readonly Message[] = [];

/** The whole messages of a conversation that is watched: renders with every delta, whatever it is. */
export function useMessages(conversationId: string | undefined): readonly Message[] {
  const board = useBoard();
  return useTopic(
    conversationId === undefined ? undefined : topicOf.messages(conversationId),
    () => (conversationId === undefined ? noMessages : board.messages(conversationId)),
    noMessages,
  );
}
