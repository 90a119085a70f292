/** One conversation: its bar, its chat and its board, and what can be done with it as a whole. */
import { useBoard, useConversation } from "@callboard/client/react";
import { lazy, Suspense, useCallback, useEffect } from "react";
import type { CallKey } from "../board/trackKey.js";
import { Chat } from "../chat/Chat.js";
import type { UserInput } from "../chat/RunSection.js";
import { ConversationBar } from "../history/ConversationBar.js";
import { forkAfter, forkBefore } from "../history/forks.js";
import { Announcer } from "./Announcer.js";
import { type Choice, optionsOf } from "./choices.js";
import type { Pane } from "./Header.js";
import type { Route } from "./route.js";
import type { Go } from "./useRoute.js";

const LiveBoard = lazy(() => import("../board/LiveBoard.js"));

export interface ConversationPageProps {
  readonly route: Route;
  readonly go: Go;
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  readonly choice: Choice | undefined;
  /** The first message began a conversation. */
  readonly onBegun: (conversationId: string) => void;
  /** The list of conversations is not what it was. */
  readonly onChanged: () => void;
  readonly onOpen: (conversationId: string | undefined) => void;
}

export function ConversationPage(props: ConversationPageProps) {
  const { route, go, pane, onPane, choice, onBegun, onChanged, onOpen } = props;
  const { client } = useBoard();
  const conversation = useConversation(route.conversationId);
  const { conversationId, send, isRunning } = conversation;

  const onSend = useCallback(
    async (input: UserInput) => {
      const started = await send(input, optionsOf(choice));
      if (conversationId === undefined) onBegun(started.conversationId);
      onChanged();
    },
    [send, choice, conversationId, onBegun, onChanged],
  );
  const onSelect = useCallback(
    (call: CallKey | undefined) => {
      if (conversationId === undefined) return;
      go(call ? { conversationId, runId: call.runId, callId: call.callId } : { conversationId });
    },
    [conversationId, go],
  );
  const onShowCall = useCallback(
    (runId: string, callId: string) => {
      onPane("board");
      onSelect({ runId, callId });
    },
    [onPane, onSelect],
  );
  const onResend = useCallback(
    async (runId: string, input: UserInput) => {
      if (conversationId === undefined) return;
      const fork = await forkBefore(client.conversations, conversationId, runId);
      const into = fork === undefined ? {} : { conversation_id: fork };
      const started = await client.start({ ...optionsOf(choice), ...into, user_input: input });
      onChanged();
      onOpen(started.conversationId);
    },
    [client, conversationId, choice, onChanged, onOpen],
  );
  const onFork = useCallback(
    async (runId: string) => {
      if (conversationId === undefined) return;
      const fork = await forkAfter(client.conversations, conversationId, runId);
      onChanged();
      onOpen(fork);
    },
    [client, conversationId, onChanged, onOpen],
  );
  const onRunAgain = useCallback(
    (toolName: string, input: string) =>
      onSend(`Use this tool again, with exactly these arguments:\ncall ${toolName} ${input}`),
    [onSend],
  );
  useEffect(() => {
    if (!isRunning) onChanged();
  }, [isRunning, onChanged]);

  const { runId, callId } = route;
  const selected = runId !== undefined && callId !== undefined ? { runId, callId } : undefined;
  return (
    <>
      <div className={`${pane === "chat" ? "flex" : "hidden"} min-h-0 min-w-0 flex-col md:flex`}>
        {conversationId !== undefined && (
          <ConversationBar
            conversationId={conversationId}
            isRunning={isRunning}
            onChanged={onChanged}
            onDeleted={() => onOpen(undefined)}
          />
        )}
        <Chat {...{ conversation, onSend, onShowCall, onResend, onFork }} />
      </div>
      <div
        className={`${pane === "board" ? "flex" : "hidden"} min-h-0 min-w-0 border-line border-l md:flex`}
      >
        <Suspense fallback={<p className="p-3 text-quiet text-sm">Opening the board…</p>}>
          <LiveBoard
            conversation={conversation}
            selected={selected}
            onSelect={onSelect}
            onRunAgain={onRunAgain}
          />
        </Suspense>
      </div>
      <Announcer conversationId={conversationId} />
    </>
  );
}
