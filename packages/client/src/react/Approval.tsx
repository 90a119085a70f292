/**
 * The question whether a call may run, as a group of buttons: one for each option that was offered,
 * with the exact rule that it saves. It is gone once the question is answered, by whomever.
 */
import type { ApprovalOption } from "@callboard/run-log";
import { type ComponentPropsWithoutRef, useState } from "react";
import { useBoard } from "./provider.js";
import { useShownCall } from "./ToolCall.js";

export type ApprovalProps = Omit<ComponentPropsWithoutRef<"fieldset">, "children"> & {
  /** Called when the answer could not be sent. Without it the problem is shown in the group. */
  readonly onProblem?: (problem: Error) => void;
};

export function Approval({ onProblem, ...attributes }: ApprovalProps) {
  const board = useBoard();
  const { call, runId } = useShownCall();
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<Error | undefined>(undefined);
  if (call.approval === undefined || runId === undefined) return null;
  const { approvalId, options, reason } = call.approval;

  const answer = async (optionId: string): Promise<void> => {
    setIsSending(true);
    setProblem(undefined);
    try {
      await board.client.answerApproval(runId, approvalId, { option_id: optionId });
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      setIsSending(false);
      if (onProblem) onProblem(failure);
      else setProblem(failure);
    }
  };

  return (
    <fieldset disabled={isSending} {...attributes}>
      <legend>{reason ?? `May ${call.toolName} run?`}</legend>
      {options.map((option) => (
        <button
          key={option.optionId}
          type="button"
          data-kind={option.kind}
          title={option.rule}
          onClick={() => void answer(option.optionId)}
        >
          {optionLabelOf(option)}
        </button>
      ))}
      {problem && <p role="alert">{problem.message}</p>}
    </fieldset>
  );
}

function optionLabelOf({ name, rule }: ApprovalOption): string {
  return rule === undefined || name.includes(rule) ? name : `${name} (${rule})`;
}
