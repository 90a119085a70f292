/**
 * The question whether a call may run: every option with the exact rule that it saves, and its key.
 * The keys answer the question that stands first on the page.
 */
import { useBoard } from "@callboard/client/react";
import type { CallTrack, TrackApproval } from "@callboard/run-log";
import { useRef, useState } from "react";
import { messageOf } from "../shell/messageOf.js";
import { useIsReadOnly } from "../shell/moment.js";
import { useKeys } from "../shell/useKeys.js";
import { InputView } from "./renderers.js";

export interface ApprovalViewProps {
  readonly track: CallTrack;
  readonly approval: TrackApproval;
}

export default function ApprovalView({ track, approval }: ApprovalViewProps) {
  const { client } = useBoard();
  const isReadOnly = useIsReadOnly();
  const question = useRef<HTMLFieldSetElement>(null);
  const [message, setMessage] = useState("");
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { options, approvalId } = approval;

  async function answer(optionId: string, isRejection: boolean): Promise<void> {
    setIsSending(true);
    setProblem(undefined);
    const said = isRejection && message.trim() !== "" ? { message } : {};
    try {
      await client.answerApproval(track.runId, approvalId, { option_id: optionId, ...said });
    } catch (error) {
      setProblem(messageOf(error));
      setIsSending(false);
    }
  }

  const isFirst = (): boolean => {
    const asked = [...document.querySelectorAll("[data-approval]")];
    return asked.find((one) => !one.closest("[hidden]")) === question.current;
  };
  const keyBindings = options.map(({ optionId, kind }, index) => {
    const choose = (): void => {
      if (isFirst() && !isSending) void answer(optionId, kind.startsWith("reject"));
    };
    return [String(index + 1), choose] as const;
  });
  useKeys(isReadOnly ? [] : keyBindings);

  return (
    <fieldset
      ref={question}
      data-approval={approvalId}
      className="m-2 rounded border border-approval p-2"
      disabled={isSending || isReadOnly}
    >
      <legend className="px-1 text-approval text-sm">
        {approval.reason ?? "This call waits for your approval."}
      </legend>
      <div className="mb-2 space-y-1">
        <InputView toolName={track.toolName} input={track.input} />
      </div>
      <div className="flex flex-wrap gap-2">
        {options.map(({ optionId, name, kind, rule }, index) => (
          <button
            key={optionId}
            type="button"
            className="button text-left"
            onClick={() => void answer(optionId, kind.startsWith("reject"))}
          >
            <kbd className="key">{index + 1}</kbd> {nameWithout(name, rule)}
            {rule !== undefined && (
              <span className="block font-mono text-quiet text-xs">saves {rule}</span>
            )}
          </button>
        ))}
      </div>
      {!isReadOnly && (
        <label className="mt-2 block text-quiet text-sm">
          What the model is told when you reject
          <input
            className="field mt-1 w-full"
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        </label>
      )}
      {problem !== undefined && (
        <p role="alert" className="mt-1 text-failed text-sm">
          Not answered: {problem}
        </p>
      )}
    </fieldset>
  );
}

/** The rule stands on a line of its own: it need not be in the name as well. */
function nameWithout(name: string, rule: string | undefined): string {
  return rule === undefined ? name : name.replace(rule, "").replaceAll(/\s+/g, " ").trim();
}
