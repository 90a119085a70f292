/** A conversation: its messages, the running answer, and the message field. */
import type { QueueEdit } from "@callboard/client";
import { type Conversation, useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import type { CallKey } from "../board/trackKey.js";
import { lazyPart } from "../shell/lazyPart.js";
import { addressOf } from "../shell/route.js";
import { useKeys } from "../shell/useKeys.js";
import { Icon } from "../values/Icon.js";
import { Composer } from "./Composer.js";
import { ContextLine } from "./ContextLine.js";
import { draftKeyOf } from "./drafts.js";
import { isBlank } from "./isBlank.js";
import type { UserInput } from "./RunSection.js";
import { useShownCallPlace, useShownRun } from "./useShownRun.js";
import { useStickyEnd } from "./useStickyEnd.js";

const ChatRuns = lazyPart(() => import("./ChatRuns.js"));
const QueueView = lazyPart(() => import("./QueueView.js"));
const Examples = lazyPart(() => import("./Examples.js"));

export interface ChatProps {
  readonly conversation: Conversation;
  readonly isRehearsal: boolean;
  /** The run that the address names. */
  readonly shownRunId: string | undefined;
  /** The call that is chosen on the board. */
  readonly shownCall?: CallKey | undefined;
  readonly onSelectCall?: (call: CallKey) => void;
  readonly onSend: (input: UserInput) => Promise<void>;
  /** Sends a message while something runs. */
  readonly onQueue?: (input: UserInput, when: "queue" | "steer") => Promise<void>;
  /** Summarizes the conversation so far for the model. */
  readonly onCompact?: () => Promise<unknown>;
  readonly onShowCall: (runId: string, callId: string) => void;
  readonly onResend: (runId: string, input: UserInput) => Promise<void>;
  readonly onFork: (runId: string) => Promise<void>;
  readonly onCompare: (runId: string) => void;
}

export function Chat(props: ChatProps) {
  const { conversation, isRehearsal, shownRunId, shownCall, onSelectCall, onSend, onQueue } = props;
  const { onCompact, onShowCall, onResend, onFork, onCompare } = props;
  const { client } = useBoard();
  const { runs, isRunning, isLoaded, conversationId, cancel } = conversation;
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const last = runs.at(-1);
  const waiting = last?.queue ?? [];
  const returned = isRunning ? [] : (last?.returned ?? []);
  const [draft, setDraft] = useState(draftOf(""));
  const removed = async (messageId: string): Promise<void> => {
    if (conversationId !== undefined) {
      await client.conversations.removeQueued(conversationId, messageId);
    }
  };
  const edited = async (messageId: string, edit: QueueEdit): Promise<void> => {
    if (conversationId !== undefined) {
      await client.conversations.editQueued(conversationId, messageId, edit);
    }
  };
  const { list, isAway, toEnd, toPlace } = useStickyEnd(runs);
  const settled = useSettledRuns(conversation);
  const attempt = useCallback((work: Promise<unknown>) => {
    setProblem(undefined);
    work.catch((error: unknown) => setProblem(messageOfError(error)));
  }, []);
  const onCancelCall = useCallback(
    (runId: string, callId: string) => attempt(client.cancel(runId, { call_id: callId })),
    [client, attempt],
  );
  const onRetry = useCallback((input: UserInput) => attempt(onSend(input)), [attempt, onSend]);
  const onForkRun = useCallback((runId: string) => attempt(onFork(runId)), [attempt, onFork]);

  const linkOf = useCallback(
    (runId: string) => (conversationId === undefined ? "" : addressOf({ conversationId, runId })),
    [conversationId],
  );
  const doing = useMemo(
    () => ({ onRetry, onResend, onFork: onForkRun, onCompare, linkOf }),
    [onRetry, onResend, onForkRun, onCompare, linkOf],
  );
  useKeys([["m", () => document.querySelector<HTMLElement>("[data-message-field]")?.focus()]]);
  useShownRun(toPlace, shownRunId, isLoaded);
  useShownCallPlace(toPlace, shownCall, isLoaded);
  const isNew = isBlank(conversation);
  return (
    <section aria-label="Chat" className="flex min-h-0 min-w-0 grow flex-col">
      <div ref={list} data-chat-list="" className="min-h-0 grow overflow-y-auto">
        <div className="mx-auto max-w-3xl space-y-4 p-4">
          {isNew && (
            <Suspense>
              <Examples isRehearsal={isRehearsal} onChoose={(text) => attempt(onSend(text))} />
            </Suspense>
          )}
          {!isNew && !isLoaded && <p className="text-quiet">Loading the conversation…</p>}
          {runs.length > 0 && (
            <Suspense fallback={<p className="text-quiet">Opening the conversation…</p>}>
              <ChatRuns
                {...{ runs, settled, shownRunId, shownCall, onSelectCall, onShowCall }}
                {...{ onCancelCall, doing }}
              />
            </Suspense>
          )}
        </div>
      </div>
      {isAway && (
        <div className="relative">
          <button type="button" className="button jump" onClick={toEnd}>
            <Icon name="down" /> Jump to latest
          </button>
        </div>
      )}
      {problem !== undefined && (
        <p role="alert" className="px-4 text-failed text-sm">
          {problem}
        </p>
      )}
      {waiting.length + returned.length > 0 && (
        <Suspense>
          <QueueView
            waiting={waiting}
            returned={returned}
            onEdit={(message) => {
              attempt(removed(message.messageId).then(() => setDraft(draftOf(message.text))));
            }}
            onSteer={({ messageId }) => attempt(edited(messageId, { when: "steer" }))}
            onRemove={({ messageId }) => attempt(removed(messageId))}
            onSendAgain={({ text }) => attempt(onSend(text))}
          />
        </Suspense>
      )}
      {last?.context && (
        <ContextLine
          context={last.context}
          onCompact={isRunning || !onCompact ? undefined : () => attempt(onCompact())}
        />
      )}
      <Composer
        key={draft.id}
        initialText={draft.text}
        draftKey={draftKeyOf(conversationId)}
        isFirst={conversationId === undefined}
        {...(onQueue && { onSteer: (input: UserInput) => onQueue(input, "steer") })}
        isRunning={isRunning}
        placeholder={isRehearsal ? "Say something, or try: tour" : "Ask something"}
        onSend={isRunning && onQueue ? (input) => onQueue(input, "queue") : onSend}
        onStop={() => attempt(cancel("stopped by the user"))}
      />
    </section>
  );
}

let drafts = 0;

/** Text that is put into the field instead of what is there. */
function draftOf(text: string): { readonly id: number; readonly text: string } {
  drafts += 1;
  return { id: drafts, text };
}

/**
 * The runs that were over when the conversation was opened. A run that started on this page never counts, nor does
 * anything in a conversation that started on this page.
 */
function useSettledRuns({ runs, isLoaded, conversationId }: Conversation): ReadonlySet<string> {
  const [settled, setSettled] = useState<ReadonlySet<string> | undefined>(
    conversationId === undefined ? none : undefined,
  );
  useEffect(() => {
    if (settled || !isLoaded || runs.length === 0) return;
    const over = runs.filter(({ status }) => status === "closed");
    setSettled(new Set(over.map(({ runId }) => runId)));
  }, [settled, runs, isLoaded]);
  return settled ?? none;
}

const none: ReadonlySet<string> = new Set();
