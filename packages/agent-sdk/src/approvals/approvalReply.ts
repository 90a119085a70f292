/** What a person answers to a request for approval, and how it becomes the answer that the manager keeps. */
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { AnswerReceipt, ApprovalManager } from "./approvalManager.js";
import { approvalOptionIds } from "./approvalRules.js";

/** The answer to a request for approval. */
export interface ApprovalReply {
  /** One of the options that were offered. */
  readonly optionId: string;
  /** Told to the model when it is a rejection. */
  readonly message?: string;
  /**
   * Arguments that replace those of the question. They are checked like the model's. Only with an option that allows
   * once: a rule is saved for the arguments of the question.
   */
  readonly input?: JsonObject;
  /** Who answers. Default `user`. */
  readonly answeredBy?: string;
}

/** A refused answer leaves the question open. */
export async function answerWith(
  approvals: ApprovalManager,
  approvalId: string,
  { optionId, message, input, answeredBy = "user" }: ApprovalReply,
): Promise<AnswerReceipt> {
  if (!approvalOptionIds.has(optionId)) {
    const reason = `There is no option ${optionId}: answer with one of those that were offered.`;
    return { status: "refused", reason, field: "optionId" };
  }
  const allowed = optionId.startsWith("allow_");
  const answer = { allowed, answeredBy, optionId, ...withoutUndefined({ message }) };
  if (input === undefined) return approvals.answer(approvalId, answer);
  return await approvals.answerAmended(approvalId, { ...answer, input });
}
