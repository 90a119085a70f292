/** One run of a conversation: what was asked, what was done, how it ended, and doing it differently. */
import type { ExecuteRequest, InputPart, RunView } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { memo, useState } from "react";
import { Composer } from "./Composer.js";
import { MessagesView } from "./MessagesView.js";

export type UserInput = ExecuteRequest["user_input"];

export interface RunSectionProps {
  readonly run: RunView;
  readonly mayFold: boolean;
  readonly onShowCall: (runId: string, callId: string) => void;
  readonly onCancelCall: (runId: string, callId: string) => void;
  /** Asks the same again. */
  readonly onRetry: (input: UserInput) => void;
  /** Asks something else instead, in a new conversation that goes up to here. */
  readonly onResend: (runId: string, input: UserInput) => Promise<void>;
  /** A new conversation with everything up to the end of this run. */
  readonly onFork: (runId: string) => void;
}

export const RunSection = memo(function RunSection(props: RunSectionProps) {
  const { run, mayFold, onShowCall, onCancelCall, onRetry, onResend, onFork } = props;
  const board = useBoard();
  const [isEditing, setIsEditing] = useState(false);
  const isOver = run.status === "closed";
  const textOf = (partId: string): string => board.text(run.runId, partId)?.text ?? "";
  const input = (): UserInput => inputOf(run, textOf);
  return (
    <div className="space-y-3" data-run={run.runId} data-status={run.status}>
      <MessagesView
        runId={run.runId}
        messages={run.messages}
        mayFold={mayFold && isOver}
        onShowCall={onShowCall}
        onCancelCall={onCancelCall}
      />
      {run.statusLine !== undefined && !isOver && (
        <p className="text-quiet text-sm">{run.statusLine}</p>
      )}
      {run.outcome !== undefined && run.outcome !== "ok" && (
        <p className="text-sm text-stopped">
          The run ended: {run.outcome}
          {run.reason === undefined ? "" : ` — ${run.reason}`}
        </p>
      )}
      {isOver && (
        <p className="flex flex-wrap items-center gap-3 text-quiet text-xs">
          <button type="button" className="link" onClick={() => onRetry(input())}>
            Retry
          </button>
          <button type="button" className="link" onClick={() => setIsEditing(!isEditing)}>
            Edit and resend
          </button>
          <button type="button" className="link" onClick={() => onFork(run.runId)}>
            Fork from here
          </button>
          <Usage run={run} />
        </p>
      )}
      {isEditing && (
        <Composer
          isRunning={false}
          label="Edited message"
          initialText={plainText(input())}
          onSend={(edited) => onResend(run.runId, edited)}
          onStop={() => setIsEditing(false)}
        />
      )}
    </div>
  );
});

function Usage({ run: { usage, model } }: { readonly run: RunView }) {
  if (!usage) return null;
  const tokens = usage.inputTokens + usage.outputTokens;
  const parts = [
    ...(model === undefined ? [] : [model]),
    ...(tokens > 0 ? [`${tokens} tokens`] : []),
    ...(usage.costUsd ? [`$${usage.costUsd.toFixed(4)}`] : []),
  ];
  return <span>{parts.join(" · ")}</span>;
}

function inputOf({ messages }: RunView, textOf: (partId: string) => string): UserInput {
  const parts = messages.find(({ role }) => role === "user")?.parts ?? [];
  const inputs = parts.flatMap((part): readonly InputPart[] => {
    if (part.type === "text") return [{ type: "input_text", text: textOf(part.partId) }];
    if (part.type !== "image") return [];
    const { data, mediaType } = part.image;
    const media = mediaType === undefined ? {} : { media_type: mediaType };
    return [{ type: "input_image", data, ...media }];
  });
  const [only] = inputs;
  return inputs.length === 1 && only?.type === "input_text" ? only.text : inputs;
}

function plainText(input: UserInput): string {
  if (typeof input === "string") return input;
  return input.flatMap((part) => (part.type === "input_text" ? [part.text] : [])).join("\n");
}
