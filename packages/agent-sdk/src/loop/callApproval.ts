/**
 * Decides whether a call may run: by rules, or by a question to a person whose answer it awaits. It records question and
 * answer; a call that is not allowed has ended when this function returns.
 */

import { isDeepStrictEqual } from "node:util";
import {
  approvalId,
  type CallId,
  type CallState,
  callOf,
  type JsonObject,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Amendment } from "@callboard/run-log/writing";
import type {
  AmendmentCheck,
  ApprovalAnswer,
  ApprovalManager,
} from "../approvals/approvalManager.js";
import { choiceOf, optionsFor } from "../approvals/approvalRules.js";
import { folderMarkOf } from "../approvals/sessionRules.js";
import { unknownEffect } from "../sessions/interruption.js";
import { inputDetails } from "../tools/inputDetails.js";
import type { ApprovalSubject } from "../types/approvals.js";
import type { ToolDefinition } from "../types/tools.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { closeCall } from "./callClosing.js";
import type { CallVerdict } from "./callHooks.js";
import type { CallRunnerOptions } from "./callRunner.js";

/** The answers to whether an interrupted call runs again. It has the arguments with which it started. */
export const repeatOptions = [
  { optionId: "allow_once", name: "Run it again", kind: "allow_once" },
  { optionId: "reject_once", name: "Do not run it again", kind: "reject_once" },
] as const;

/** Asks if necessary, waits, and records question and answer. A denial has closed the call. */
export async function isAllowed(
  call: CallState,
  tool: ToolDefinition,
  input: JsonObject,
  judged: CallVerdict,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<boolean> {
  const { writer, approvals } = options;
  const { callId } = call;
  // Another process asked and the answer was yes: the person is not asked again.
  if (call.status === "ready" && call.isAllowed) return true;
  if (judged.verdict === "deny") {
    closeCall(writer, { callId, outcome: "denied", message: judged.message });
    return false;
  }
  const target = tool.approvalTarget(input);
  const subject: ApprovalSubject = { toolName: tool.name, kind: tool.kind, target, input };
  const id = call.status === "awaitingApproval" ? call.approvalId : approvalId(options.newId());
  const isAgain = call.status === "awaitingApproval" && call.execution !== undefined;
  const offered = isAgain ? repeatOptions : optionsFor(subject);
  const optionIds = new Set(offered.map(({ optionId }) => optionId));
  const check = isAgain ? undefined : amendmentCheck(subject, tool, approvals);
  let asked: Promise<ApprovalAnswer>;
  if (call.status === "awaitingApproval") {
    asked = approvals.ask(id, optionIds, call.expiresAt ?? null, check);
  } else {
    const verdict = approvals.verdictOf(subject, tool.needsApproval);
    // A person who runs a tool has approved it.
    const mustAsk = judged.verdict === "ask" && call.openedBy === "model";
    if (verdict.verdict === "allowed" && !mustAsk) return true;
    if (verdict.verdict === "ask" && judged.verdict === "allow") return true;
    if (verdict.verdict === "denied") {
      const message =
        verdict.rule === undefined
          ? "No rule allows this call, and calls without a rule are denied here."
          : `The rule ${verdict.rule} does not allow this call.`;
      closeCall(writer, { callId, outcome: "denied", message });
      return false;
    }
    asked = approvals.ask(id, optionIds, undefined, check);
    const expiresAt = approvals.pending().find((one) => one.approvalId === id)?.expiresAt;
    writer.record({
      type: "askApproval",
      callId,
      approvalId: id,
      options: offered,
      reason: reasonFor(tool, input, target, judged),
      ...withoutUndefined({ expiresAt }),
    });
  }
  const answer = await answeredQuestion(callId, id, asked, signal, options);
  if (answer === undefined) return false;
  const { allowed, answeredBy, optionId } = answer;
  const message = isAgain && !allowed ? notRepeated(answer) : answer.message;
  const kept = optionId === undefined ? {} : await keptRule(subject, optionId, options);
  // Meanwhile the call that it works for may have ended, and this one with it.
  if (callOf(writer.state, callId)?.status === "closed") return false;
  writer.record({
    type: "answerApproval",
    callId,
    approvalId: id,
    allowed,
    answeredBy,
    ...withoutUndefined({ optionId }),
    ...kept,
    ...withoutUndefined({ message }),
    ...amendmentBy(answer, subject, tool, options),
  });
  return allowed;
}

/** What the model receives for a call that had started and must not run again. */
export function notRepeated({ message }: ApprovalAnswer): string {
  const why = `It was not run again: ${unknownEffect}.`;
  return message === undefined || message === "" ? why : `${message} ${why}`;
}

/** Waits for the answer to a question of a call. Undefined if the call was cancelled, and has ended. */
export async function answeredQuestion(
  callId: CallId,
  id: string,
  asked: Promise<ApprovalAnswer>,
  signal: AbortSignal,
  { writer, approvals, parking }: CallRunnerOptions,
): Promise<ApprovalAnswer | undefined> {
  const answer = await parking.waiting({
    answered: orCancelled(asked, id, signal, approvals),
    isAnswered: () => !approvals.isPending(id),
    withdraw: () => approvals.withdraw(id),
  });
  if (answer.answeredBy !== cancellation) return answer;
  closeCall(writer, { callId, outcome: "cancelled", message: answer.message ?? "" });
  return undefined;
}

/** The subject of the question, and the reason of a hook that requires it. */
function reasonFor(
  tool: ToolDefinition,
  input: JsonObject,
  target: string | undefined,
  judged: CallVerdict,
): string {
  const what = tool.title(input) ?? (target === undefined ? tool.name : `${tool.name}: ${target}`);
  if (judged.verdict !== "ask" || judged.reason === undefined || judged.reason === "") return what;
  return `${what} (${judged.reason})`;
}

/**
 * Changed arguments must satisfy the same checks as the model's: the schema and the deny rules. The rule that the answer
 * would save is one for the original arguments, so it is not saved together with a change.
 */
function amendmentCheck(
  asked: ApprovalSubject,
  tool: ToolDefinition,
  approvals: ApprovalManager,
): AmendmentCheck {
  return async (input, optionId) => {
    if (isDeepStrictEqual(input, asked.input)) return undefined;
    const problem = await tool.inputProblem(input);
    if (problem !== undefined) return problem;
    if (choiceOf(asked, optionId)?.keeps !== "nothing") {
      return `The option ${optionId} saves a rule for the arguments that were asked about: answer with allow_once to change them.`;
    }
    const subject = { ...asked, target: tool.approvalTarget(input), input };
    const verdict = approvals.verdictOf(subject, tool.needsApproval);
    if (verdict.verdict !== "denied") return undefined;
    return `The rule ${verdict.rule ?? "of this session"} does not allow these arguments.`;
  };
}

/** The change of the answer; the same arguments again are not a change. */
function amendmentBy(
  { input }: ApprovalAnswer,
  { input: asked }: ApprovalSubject,
  tool: ToolDefinition,
  { workdir }: CallRunnerOptions,
): Partial<Amendment> {
  if (input === undefined || isDeepStrictEqual(input, asked)) return {};
  return { input, ...inputDetails(tool, input, workdir) };
}

const cancellation = "cancellation";

/** A call that is cancelled while it waits stops waiting. */
async function orCancelled(
  asked: Promise<ApprovalAnswer>,
  id: string,
  signal: AbortSignal,
  approvals: ApprovalManager,
): Promise<ApprovalAnswer> {
  const cancel = (): void => {
    const message = abortReasonOf(signal);
    approvals.answer(id, { allowed: false, answeredBy: cancellation, message });
  };
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await asked;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Saves the rule of an answer; returns it for the log, with its folder if it applies to the session. */
async function keptRule(
  subject: ApprovalSubject,
  optionId: string,
  { approvals, saveRule, logger, workdir }: CallRunnerOptions,
): Promise<{ readonly rule?: string; readonly folderMark?: string }> {
  const choice = choiceOf(subject, optionId);
  if (!choice || choice.keeps === "nothing") return {};
  const { rule } = choice;
  const effect = choice.allowed ? "allow" : "deny";
  approvals.remember({ rule, effect, from: "session" });
  const held = { rule, folderMark: folderMarkOf(workdir) };
  if (choice.keeps === "session") return held;
  try {
    await saveRule(rule, effect);
    approvals.remember({ rule, effect, from: "saved" });
  } catch (error) {
    logger.error("Saving a rule failed; it applies to this session only.", { rule, error });
    return held;
  }
  return { rule };
}
