/**
 * One call from complete arguments to its end: is there such a tool, may it run, does someone have to
 * allow it, how did it go. Every path closes the call; what the model is to learn is in the closing.
 */
import {
  approvalId,
  boundedText,
  type CallId,
  type CallState,
  callOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import type { ApprovalAnswer, ApprovalManager } from "./managers/approvalManager.js";
import type { GuardManager } from "./managers/guardManager.js";
import type { RunWriter } from "./runWriter.js";
import { executeTool, type ToolOutcome } from "./services/toolService.js";
import type { ApprovalPolicy, ApprovalSubject } from "./types/approvals.js";
import type { Clock } from "./types/clock.js";
import type { Limits } from "./types/limits.js";
import type { Logger } from "./types/logger.js";
import type { ToolDefinition, ToolResult } from "./types/tools.js";
import { reasonOf } from "./utils/abortReason.js";
import { choiceOf, optionsFor } from "./utils/approvalRules.js";
import { folderMarkOf } from "./utils/sessionRules.js";
import type { ToolRegistry } from "./utils/toolRegistry.js";

export interface CallRunnerOptions {
  readonly writer: RunWriter;
  readonly registry: ToolRegistry;
  readonly approvals: ApprovalManager;
  readonly guards: GuardManager;
  /** The run, or the call of a nested agent: what the guards count by. */
  readonly guardKey: string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runId: string;
  readonly sessionId: string;
  readonly workdir: string;
  readonly additionalDirectories: readonly string[];
  readonly newId: () => string;
  readonly saveRule: NonNullable<ApprovalPolicy["saveRule"]>;
  /** Keeps an output that is too long for the log; gives the key and the file that has it whole. */
  readonly keepOutput: (
    key: string,
    text: string,
  ) => Promise<{ readonly persistKey: string; readonly filePath: string }>;
}

export type CallEnd =
  | { readonly status: "ended" }
  /** A guard has had enough: the run must end. */
  | { readonly status: "stop"; readonly reason: string };

const ended: CallEnd = { status: "ended" };

export async function runCall(
  callId: CallId,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<CallEnd> {
  const { writer, registry, guardKey } = options;
  const call = callOf(writer.state, callId);
  if (call?.status !== "ready") return ended;
  if (signal.aborted) return cancelled(callId, signal, writer);
  const fail = (errorType: string, message: string): CallEnd => {
    writer.record({ type: "closeCall", callId, outcome: "error", errorType, message });
    return ended;
  };
  if (!call.input.parsed) {
    const why = `The arguments of ${call.toolName} could not be used: ${call.input.problem}`;
    return fail("invalid_arguments", `${why} Call it again with complete, valid JSON.`);
  }
  const tool = registry.find(call.toolName);
  if (!tool) {
    const names = registry.tools.map(({ name }) => name).join(", ");
    return fail(
      "unknown_tool",
      `There is no tool ${call.toolName}. There are: ${names || "none"}.`,
    );
  }
  const input = call.input.value;
  const { toolType } = tool;
  const guarded = options.guards.check({ runId: guardKey, toolName: tool.name, input, toolType });
  if (guarded.status === "warn") return fail(guarded.errorType, guarded.message);
  if (guarded.status === "stop") {
    fail(guarded.errorType, guarded.reason);
    return { status: "stop", reason: guarded.reason };
  }
  if (!(await isAllowed(call, tool, objectOf(input), signal, options))) {
    const denied = { runId: guardKey, toolName: tool.name, input };
    options.guards.record(denied, { isError: true, output: "not allowed" });
    return ended;
  }
  if (signal.aborted) return cancelled(callId, signal, writer);
  writer.record({ type: "startCall", callId });
  await writer.stored();
  if (signal.aborted) return cancelled(callId, signal, writer);
  const outcome = await executed(callId, tool, input, signal, options);
  await close(callId, tool, input, outcome, options);
  return ended;
}

/** Stop means stop: no tool begins any more. */
function cancelled(callId: CallId, signal: AbortSignal, writer: RunWriter): CallEnd {
  writer.record({ type: "closeCall", callId, outcome: "cancelled", message: reasonOf(signal) });
  return ended;
}

function objectOf(input: JsonValue): JsonObject {
  return isJsonObject(input) ? input : {};
}

/** Asks where it must, waits, and records question and answer. A denial has closed the call. */
async function isAllowed(
  { callId }: CallState,
  tool: ToolDefinition,
  input: JsonObject,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<boolean> {
  const { writer, approvals } = options;
  const target = tool.approvalTarget(input);
  const subject: ApprovalSubject = { toolName: tool.name, kind: tool.kind, target, input };
  const verdict = approvals.verdictOf(subject, tool.needsApproval);
  if (verdict.verdict === "allowed") return true;
  if (verdict.verdict === "denied") {
    const message = `The rule ${verdict.rule ?? "of this session"} does not allow this call.`;
    writer.record({ type: "closeCall", callId, outcome: "denied", message });
    return false;
  }
  const id = approvalId(options.newId());
  const asked = approvals.ask(id);
  const expiresAt = approvals.pending().find((one) => one.approvalId === id)?.expiresAt;
  writer.record({
    type: "askApproval",
    callId,
    approvalId: id,
    options: optionsFor(subject),
    reason: tool.title(input) ?? `${tool.name}: ${target}`,
    ...(expiresAt === undefined ? {} : { expiresAt }),
  });
  const answer = await orCancelled(asked, id, signal, approvals);
  const { allowed, answeredBy, optionId, message } = answer;
  if (answeredBy === cancellation) {
    writer.record({ type: "closeCall", callId, outcome: "cancelled", message: message ?? "" });
    return false;
  }
  const kept = optionId === undefined ? {} : await keptRule(subject, optionId, options);
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

function executed(
  callId: CallId,
  tool: ToolDefinition,
  input: JsonValue,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<ToolOutcome> {
  const { writer, limits, clock, logger, runId, sessionId, workdir } = options;
  const { additionalDirectories } = options;
  return executeTool({
    tool,
    input,
    clock,
    signal,
    graceMs: limits.graceMs,
    heartbeatMs: limits.heartbeatMs,
    report: (progress) =>
      writer.record({ type: "progressCall", callId, progress }).status === "accepted",
    context: {
      callId,
      toolName: tool.name,
      runId,
      sessionId,
      workdir,
      additionalDirectories,
      logger,
    },
  });
}

async function close(
  callId: CallId,
  tool: ToolDefinition,
  input: JsonValue,
  outcome: ToolOutcome,
  options: CallRunnerOptions,
): Promise<void> {
  const { writer, guards, guardKey } = options;
  const { retries } = outcome;
  const call = { runId: guardKey, toolName: tool.name, input };
  if (outcome.status === "failed") {
    const { status: _, output: said, ...failed } = outcome;
    guards.record(call, { isError: true, output: failed.message });
    const message = boundedText(failed.message, options.limits.maxOutputChars);
    const kept = said === undefined ? {} : await boundedOutput(callId, said, {}, options);
    writer.record({ type: "closeCall", callId, ...failed, message, ...kept });
    return;
  }
  const { output, ...details } = outcome.result;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  guards.record(call, { isError: false, output: text });
  const kept = await boundedOutput(callId, text, outcome.result, options);
  writer.record({
    type: "closeCall",
    callId,
    outcome: "ok",
    ...details,
    ...kept,
    retries,
    ...(typeof output === "string" || kept.output !== text ? {} : { outputType: "json" }),
  });
}

/** The log and the model get head and tail of a long output; the whole is in a file. */
async function boundedOutput(
  callId: CallId,
  text: string,
  result: Pick<ToolResult, "persistKey">,
  { limits, runId, keepOutput, logger }: CallRunnerOptions,
): Promise<{ readonly output: string; readonly persistKey?: string; readonly filePath?: string }> {
  if (text.length <= limits.maxOutputChars || result.persistKey !== undefined) {
    return { output: text };
  }
  const output = boundedText(text, limits.maxOutputChars);
  try {
    return { output, ...(await keepOutput(`${runId}/${callId}`, text)) };
  } catch (error) {
    logger.error("a long output could not be kept in a file; its head and tail are in the log", {
      callId,
      error,
    });
    return { output };
  }
}
