/** Approvals beyond the policy of an agent: rules, their subjects, and the result of an answer. */
export type { AnswerReceipt, PendingApproval } from "../approvals/approvalManager.js";
export { ApprovalRuleError } from "../approvals/approvalRules.js";
export { isSteeringPath } from "../approvals/rules/steeringFiles.js";
export type { ApprovalSubject, ApprovalVerdict, HeldRule } from "../types/approvals.js";
