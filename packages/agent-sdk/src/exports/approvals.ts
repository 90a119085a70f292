/** Approvals beyond the policy of an agent: rules, their subjects, and what became of an answer. */
export type { AnswerReceipt, PendingApproval } from "../approvals/approvalManager.js";
export type { ApprovalSubject, ApprovalVerdict, HeldRule } from "../types/approvals.js";
