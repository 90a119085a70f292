/**
 * May this call run? Rules decide, or someone is asked and the answer is waited for. Question and
 * answer are recorded here; a call that is not allowed has ended when this room is left.
 */
import { approvalId, type CallState, callOf, type JsonObject } from "@callboard/run-log";
import { closeCall } from "./callClosing.js";
import type { CallVerdict } from "./callHooks.js";
import type { CallRunnerOptions } from "./callRunner.js";
import type { ApprovalAnswer, ApprovalManager } from "./managers/approvalManager.js";
import type { ApprovalSubject } from "./types/approvals.js";
import type { ToolDefinition } from "./types/tools.js";
import { reasonOf } from "./utils/abortReason.js";
import { choiceOf, optionsFor } from "./utils/approvalRules.js";
import { folderMarkOf } from "./utils/sessionRules.js";

/** Asks where it must, waits, and records question and answer. A denial has closed the call. */
export async function isAllowed(
  call: CallState,
  tool: ToolDefinition,
  input: JsonObject,
  judged: CallVerdict,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<boolean> {
  const { writer, approvals, parking } = options;
  const { callId } = call;
  // Another process asked and was told yes: nobody is asked again.
  if (call.status === "ready" && call.isAllowed) return true;
  if (judged.verdict === "deny") {
    closeCall(writer, { callId, outcome: "denied", message: judged.message });
    return false;
  }
  const target = tool.approvalTarget(input);
  const subject: ApprovalSubject = { toolName: tool.name, kind: tool.kind, target, input };
  const id = call.status === "awaitingApproval" ? call.approvalId : approvalId(options.newId());
  const offered = optionsFor(subject);
  const optionIds = new Set(offered.map(({ optionId }) => optionId));
  let asked: Promise<ApprovalAnswer>;
  if (call.status === "awaitingApproval") {
    asked = approvals.ask(id, optionIds, call.expiresAt ?? null);
  } else {
    const verdict = approvals.verdictOf(subject, tool.needsApproval);
    // A person who runs a tool has been asked.
    const mustAsk = judged.verdict === "ask" && call.openedBy === "model";
    if (verdict.verdict === "allowed" && !mustAsk) return true;
    if (verdict.verdict === "ask" && judged.verdict === "allow") return true;
    if (verdict.verdict === "denied") {
      const message = `The rule ${verdict.rule ?? "of this session"} does not allow this call.`;
      closeCall(writer, { callId, outcome: "denied", message });
      return false;
    }
    asked = approvals.ask(id, optionIds);
    const expiresAt = approvals.pending().find((one) => one.approvalId === id)?.expiresAt;
    writer.record({
      type: "askApproval",
      callId,
      approvalId: id,
      options: offered,
      reason: reasonFor(tool, input, target, judged),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
  }
  const answer = await parking.waiting({
    answered: orCancelled(asked, id, signal, approvals),
    isAnswered: () => !approvals.isPending(id),
    withdraw: () => approvals.withdraw(id),
  });
  const { allowed, answeredBy, optionId, message } = answer;
  if (answeredBy === cancellation) {
    closeCall(writer, { callId, outcome: "cancelled", message: message ?? "" });
    return false;
  }
  const kept = optionId === undefined ? {} : await keptRule(subject, optionId, options);
  // Meanwhile the call that it works for may have ended, and this one with it.
  if (callOf(writer.state, callId)?.status === "closed") return false;
  writer.record({
    type: "answerApproval",
    callId,
    approvalId: id,
    allowed,
    answeredBy,
    ...(optionId === undefined ? {} : { optionId }),
    ...kept,
    ...(message === undefined ? {} : { message }),
  });
  return allowed;
}

/** What is asked about, and why a hook wants it to be. */
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

const cancellation = "cancellation";

/** A call that is cancelled while it waits stops waiting. */
async function orCancelled(
  asked: Promise<ApprovalAnswer>,
  id: string,
  signal: AbortSignal,
  approvals: ApprovalManager,
): Promise<ApprovalAnswer> {
  const cancel = (): void => {
    const message = reasonOf(signal);
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

/** Keeps the rule that an answer asks for; gives it back for the log, with where it holds for the session. */
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
    logger.error("a rule could not be saved; it holds for this session", { rule, error });
    return held;
  }
  return { rule };
}
