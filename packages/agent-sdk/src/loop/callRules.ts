/** The rules of an agent's user about interrupted and silent calls, applied to the tool of one call. */
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import {
  isUndecided,
  type ParsedRule,
  parseRule,
  ruleMatches,
} from "../approvals/approvalRules.js";
import type { ApprovalSubject } from "../types/approvals.js";
import type { CallRule } from "../types/callRules.js";
import type { ToolDefinition } from "../types/tools.js";

export interface CallRules {
  /** The tool as these rules have it for a call with these arguments. */
  toolFor(tool: ToolDefinition, input: JsonValue): ToolDefinition;
}

/** Throws an ApprovalRuleError if a rule is invalid. */
export function createCallRules(rules: readonly CallRule[], workdir: string): CallRules {
  const held = rules.map((rule) => ({ ...rule, parsed: rule.tools.map(parseRule) }));

  const isWhole = (parsed: readonly ParsedRule[], subject: ApprovalSubject): boolean =>
    parsed.some((rule) => ruleMatches(rule, subject, "allow", workdir));
  const isPart = (parsed: readonly ParsedRule[], subject: ApprovalSubject): boolean =>
    parsed.some(
      (rule) => ruleMatches(rule, subject, "deny", workdir) || isUndecided(rule, subject),
    );

  return {
    toolFor(tool, input) {
      // A call that waits for its result elsewhere survives its process. So does an agent: the rules apply to its calls.
      if (held.length === 0 || tool.remote !== undefined || tool.toolType === "agent") return tool;
      const subject = subjectOf(tool, input);
      const partly = held.filter(({ parsed }) => isPart(parsed, subject));
      const asks = partly.some(({ onInterrupted }) => onInterrupted === "ask");
      const retries = held.some(
        ({ parsed, onInterrupted }) => onInterrupted === "retry" && isWhole(parsed, subject),
      );
      const silences = partly.flatMap(({ silenceTimeoutMs }) => silenceTimeoutMs ?? []);
      return {
        ...tool,
        ...(asks ? { onInterrupted: "ask" } : retries ? { onInterrupted: "retry" } : {}),
        ...(silences.length === 0 ? {} : { silenceTimeoutMs: Math.min(...silences) }),
      };
    },
  };
}

function subjectOf({ name, kind, approvalTarget }: ToolDefinition, given: JsonValue) {
  const input = isJsonObject(given) ? given : {};
  return { toolName: name, kind, target: approvalTarget(input), input };
}
