/** One conversation: its bar, its chat and its board, and what can be done with it as a whole. */

import { ProblemError } from "@callboard/client";
import { useBoard, useConversation } from "@callboard/client/react";
import type { JsonObject } from "@callboard/run-log";
import type { CallTrack } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { Suspense, useCallback, useEffect } from "react";
import { Chat } from "../chat/Chat.js";
import type { UserInput } from "../chat/RunSection.js";
import { ConversationPanes } from "./ConversationPanes.js";
import { type Choice, optionsOf } from "./choices.js";
import type { Pane } from "./HeaderParts.js";
import { lazyPart } from "./lazyPart.js";
import { Nowhere } from "./Nowhere.js";
import type { Route } from "./route.js";
import type { Go } from "./useRoute.js";

const ConversationBar = lazyPart(() => import("../history/ConversationBar.js"));

export interface ConversationPageProps {
  readonly route: Route;
  readonly go: Go;
  readonly pane: Pane;
  readonly onPane: (pane: Pane) => void;
  readonly choice: Choice | undefined;
  readonly isRehearsal: boolean;
  /** The first message started a conversation. */
  readonly onBegun: (conversationId: string) => void;
  /** The list of conversations is not what it was. */
  readonly onChanged: () => void;
  readonly onOpen: (conversationId: string | undefined) => void;
}

export function ConversationPage(props: ConversationPageProps) {
  const { route, go, pane, onPane, choice, isRehearsal, onBegun, onChanged, onOpen } = props;
  const board = useBoard();
  const { client } = board;
  const conversation = useConversation(route.conversationId);
  const { conversationId, send, queue, runTool, compact, isRunning } = conversation;

  const onSend = useCallback(
    async (input: UserInput) => {
      try {
        const started = await send(input, optionsOf(choice));
        if (conversationId === undefined) onBegun(started.conversationId);
      } catch (error) {
        // A run started that this page did not receive: the message waits for its end, like every other.
        if (!isBusy(error)) throw error;
        await queue(input, "queue", optionsOf(choice));
      }
      onChanged();
    },
    [send, queue, choice, conversationId, onBegun, onChanged],
  );
  const onQueue = useCallback(
    (input: UserInput, when: "queue" | "steer") => queue(input, when, optionsOf(choice)),
    [queue, choice],
  );
  const onResend = useCallback(
    async (runId: string, input: UserInput) => {
      if (conversationId === undefined) return;
      const { forkBefore } = await import("../history/forks.js");
      const fork = await forkBefore(client.conversations, conversationId, runId);
      const into = withoutUndefined({ conversation_id: fork });
      const started = await client.start({ ...optionsOf(choice), ...into, user_input: input });
      onChanged();
      onOpen(started.conversationId);
    },
    [client, conversationId, choice, onChanged, onOpen],
  );
  const onFork = useCallback(
    async (runId: string) => {
      if (conversationId === undefined) return;
      const { forkAfter } = await import("../history/forks.js");
      const fork = await forkAfter(client.conversations, conversationId, runId);
      onChanged();
      onOpen(fork);
    },
    [client, conversationId, onChanged, onOpen],
  );
  /** With the model of the previous run, or of the run itself if it is the first: another one is chosen there. */
  const onCompare = useCallback(
    (runId: string) => {
      if (conversationId === undefined) return;
      const { runs } = board.conversation(conversationId);
      const at = runs.findIndex((run) => run.runId === runId);
      go({ compared: [runs[at - 1]?.runId ?? runId, runId] });
    },
    [board, conversationId, go],
  );
  const onRunAgain = useCallback(
    async ({ toolName }: CallTrack, input: JsonObject) => {
      const asked = choice === undefined ? {} : { promptId: choice.promptId };
      await runTool({ ...asked, toolName, arguments: input });
    },
    [runTool, choice],
  );
  const onCompact = useCallback(() => compact(choice), [compact, choice]);
  useEffect(() => {
    if (!isRunning) onChanged();
  }, [isRunning, onChanged]);

  if (conversation.closed && conversation.runs.length === 0) {
    return <Nowhere what="conversation" onLeave={() => onOpen(undefined)} />;
  }
  return (
    <ConversationPanes
      {...{ conversation, route, go, pane, onPane, onRunAgain }}
      head={
        conversationId !== undefined && (
          <Suspense fallback={<div className="h-10 border-line border-b" />}>
            <ConversationBar
              conversationId={conversationId}
              isRunning={isRunning}
              onChanged={onChanged}
              onDeleted={() => onOpen(undefined)}
            />
          </Suspense>
        )
      }
      chat={({ selected, shownRunId, onSelect, onShowCall }) => (
        <Chat
          {...{ conversation, isRehearsal, onSend, onQueue, onCompact }}
          {...{ onResend, onFork, onCompare, shownRunId, onShowCall }}
          shownCall={selected}
          onSelectCall={onSelect}
        />
      )}
    />
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.type.endsWith("conversation-busy");
}
