/** One run of a conversation: the request, the work, the outcome, and the actions to repeat it. */

import type { ExecuteRequest, InputPart, PartOutline, RunView } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { withoutUndefined } from "@callboard/run-log/values";
import { memo, Suspense, useState } from "react";
import { CopyButton } from "../calls/CopyButton.js";
import { lazyPart } from "../shell/lazyPart.js";
import { useHasTimes } from "../shell/moment.js";
import { timeText } from "../values/clockText.js";
import { costText } from "../values/countText.js";
import { visibleText } from "../values/visibleText.js";
import { Composer } from "./Composer.js";
import { MessagesView } from "./MessagesView.js";
import { RunPulse } from "./RunPulse.js";

const RunMenu = lazyPart(() => import("./RunMenu.js"));

export type UserInput = ExecuteRequest["user_input"];

export interface RunSectionProps {
  readonly run: RunView;
  readonly mayFold: boolean;
  /** The address names it. */
  readonly isShown?: boolean;
  /** A later run replaced it: neither the model nor a client receives it any longer. */
  readonly isReplaced?: boolean;
  readonly onShowCall: (runId: string, callId: string) => void;
  readonly onCancelCall?: (runId: string, callId: string) => void;
  /** Absent for a read-only run. */
  readonly doing?: RunDoing;
}

/** The actions for a run that is over. */
export interface RunDoing {
  /** Asks the same again. */
  readonly onRetry: (input: UserInput) => void;
  /** Asks something else instead, in a new conversation that goes up to here. */
  readonly onResend: (runId: string, input: UserInput) => Promise<void>;
  /** A new conversation with everything up to the end of this run. */
  readonly onFork: (runId: string) => void;
  /** Shows it beside another run. */
  readonly onCompare: (runId: string) => void;
  readonly linkOf: (runId: string) => string;
}

export const RunSection = memo(function RunSection(props: RunSectionProps) {
  const {
    run,
    mayFold,
    isShown = false,
    isReplaced = false,
    onShowCall,
    onCancelCall,
    doing,
  } = props;
  const board = useBoard();
  const [isEditing, setIsEditing] = useState(false);
  const isOver = run.status === "closed";
  const textOf = (partId: string): string => board.text(run.runId, partId)?.text ?? "";
  const input = (): UserInput => sentInputOf(run, textOf);
  /** A tool that a person ran has no message that could be sent again. */
  const isAsked = run.messages.some(({ role, parts }) => role === "user" && parts.some(isSaid));
  const hasAnswer = run.messages.some(
    ({ role, parts }) => role === "assistant" && parts.some(({ type }) => type === "text"),
  );
  return (
    <div
      className="space-y-3"
      data-run={run.runId}
      data-status={run.status}
      aria-current={isShown ? "location" : undefined}
    >
      {isReplaced && (
        <p className="text-quiet text-xs" data-replaced="">
          Replaced: the message was answered again or edited below.
        </p>
      )}
      <MessagesView
        runId={run.runId}
        messages={run.messages}
        mayFold={mayFold && isOver}
        onShowCall={onShowCall}
        {...(onCancelCall && { onCancelCall })}
      />
      {!isOver && <RunPulse run={run} />}
      {isAsked && run.outcome !== undefined && run.outcome !== "ok" && !isTold(run) && (
        <p className="text-sm text-stopped">
          The run ended: {run.outcome}
          {run.reason === undefined ? "" : ` — ${visibleText(run.reason)}`}
        </p>
      )}
      {isOver && (
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-quiet text-xs">
          {doing && (
            <span className="actions flex flex-wrap items-center gap-x-1" data-actions="">
              {isAsked && (
                <>
                  <button type="button" className="action" onClick={() => doing.onRetry(input())}>
                    Retry
                  </button>
                  <button type="button" className="action" onClick={() => setIsEditing(!isEditing)}>
                    Edit and resend
                  </button>
                </>
              )}
              {hasAnswer && (
                <CopyButton text={() => answerTextOf(run, textOf)} what="answer" look="action" />
              )}
              <CopyButton text={doing.linkOf(run.runId)} what="link" look="action" />
              <Suspense>
                <RunMenu runId={run.runId} onFork={doing.onFork} onCompare={doing.onCompare} />
              </Suspense>
            </span>
          )}
          <Usage run={run} />
        </p>
      )}
      {isEditing && doing && (
        <Composer
          isRunning={false}
          label="Edited message"
          initialText={plainText(input())}
          onSend={(edited) => doing.onResend(run.runId, edited)}
          onStop={() => setIsEditing(false)}
        />
      )}
    </div>
  );
});

function isSaid({ type }: PartOutline): boolean {
  return type === "text" || type === "image";
}

/** The name that the intake writes if a stream names no model. */
const unknownModel = "unknown";

/** When it was asked, by which model it was answered, and what that took. */
function Usage({ run: { usage, model, startedAt } }: { readonly run: RunView }) {
  const hasTimes = useHasTimes();
  const tokens = usage ? usage.inputTokens + usage.outputTokens : 0;
  const parts =
    !usage || tokens === 0
      ? []
      : [
          ...(model === undefined || model === unknownModel ? [] : [model]),
          `${tokens.toLocaleString("en")} tokens`,
          ...(usage.costUsd ? [costText(usage.costUsd)] : []),
        ];
  const isTimed = hasTimes && startedAt !== undefined;
  return (
    <span className="tabular-nums">
      {isTimed && (
        <time
          dateTime={new Date(startedAt).toISOString()}
          title={new Date(startedAt).toLocaleString()}
        >
          {timeText(startedAt, Date.now())}
        </time>
      )}
      {isTimed && parts.length > 0 && " · "}
      {visibleText(parts.join(" · "))}
    </span>
  );
}

/** Whether an error among its messages says already that it failed, and why. */
function isTold({ messages, outcome, reason }: RunView): boolean {
  return messages.some(({ parts }) =>
    parts.some(
      (part) =>
        part.type === "error" &&
        (reason === undefined ? outcome === "error" : part.message === reason),
    ),
  );
}

/** The whole text of the model in it, unchanged. */
function answerTextOf({ messages }: RunView, textOf: (partId: string) => string): string {
  return messages
    .filter(({ role }) => role === "assistant")
    .flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" ? [textOf(part.partId)] : [])),
    )
    .join("\n\n");
}

function sentInputOf({ messages }: RunView, textOf: (partId: string) => string): UserInput {
  const parts = messages.find(({ role }) => role === "user")?.parts ?? [];
  const inputs = parts.flatMap((part): readonly InputPart[] => {
    if (part.type === "text") return [{ type: "input_text", text: textOf(part.partId) }];
    if (part.type !== "image") return [];
    const { data, mediaType } = part.image;
    const media = withoutUndefined({ media_type: mediaType });
    return [{ type: "input_image", data, ...media }];
  });
  const [only] = inputs;
  return inputs.length === 1 && only?.type === "input_text" ? only.text : inputs;
}

function plainText(input: UserInput): string {
  if (typeof input === "string") return input;
  return input.flatMap((part) => (part.type === "input_text" ? [part.text] : [])).join("\n");
}
