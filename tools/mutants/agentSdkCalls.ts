import type { Mutant } from "./mutant.js";

/** Planted bugs of the agent SDK where calls are allowed, run, counted and ended. */
export const agentSdkCalls: readonly Mutant[] = [
  {
    bug: "a denied tool is let through by the approval",
    file: "packages/agent-sdk/src/callApproval.ts",
    find: "return allowed;",
    replace: "return true;",
    tests: ["packages/agent-sdk/src/denial.test.ts"],
  },
  {
    bug: "a tool runs although the log refused its start",
    file: "packages/agent-sdk/src/callRunner.ts",
    find: 'if (start.status === "refused") {',
    replace: "if (false) {",
    tests: ["packages/agent-sdk/src/denial.test.ts"],
  },
  {
    bug: "a rule that denies is recorded and the tool runs",
    file: "packages/agent-sdk/src/callApproval.ts",
    find: `closeCall(writer, { callId, outcome: "denied", message });
    return false;`,
    replace: `closeCall(writer, { callId, outcome: "denied", message });
    return true;`,
    tests: ["packages/agent-sdk/src/denial.test.ts"],
  },
  {
    bug: "record ignores what the log refuses",
    file: "packages/agent-sdk/src/runWriter.ts",
    find: "throw new RefusedIntentError(runId, decision.refusal);",
    replace: "",
    tests: ["packages/agent-sdk/src/runWriter.test.ts"],
  },
  {
    bug: "an approval that nobody answers is taken as given",
    file: "packages/agent-sdk/src/managers/approvalManager.ts",
    find: 'question.settle({ allowed: false, answeredBy: "deadline", message });',
    replace: 'question.settle({ allowed: true, answeredBy: "deadline", message });',
    tests: ["packages/agent-sdk/src/denial.test.ts"],
  },
  {
    bug: "a call that is cancelled while it waits for approval is taken as allowed",
    file: "packages/agent-sdk/src/callApproval.ts",
    find: "approvals.answer(id, { allowed: false, answeredBy: cancellation, message });",
    replace: 'approvals.answer(id, { allowed: true, answeredBy: "user", message });',
    tests: ["packages/agent-sdk/src/denial.test.ts"],
  },
];
