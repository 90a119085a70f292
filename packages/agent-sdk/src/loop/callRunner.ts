/**
 * One call from complete arguments to its end: is there such a tool, may it run, does someone have to
 * allow it, how did it go. Every path closes the call; what the model is to learn is in the closing.
 */

import {
  type CallId,
  type CallState,
  callOf,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runInputOf,
} from "@callboard/run-log";
import { messageOfError } from "@callboard/run-log/values";
import type { ApprovalManager } from "../approvals/approvalManager.js";
import type { ToolRegistry } from "../tools/toolRegistry.js";
import type { ToolOutcome } from "../tools/toolService.js";
import type { ApprovalPolicy } from "../types/approvals.js";
import type { Clock } from "../types/clock.js";
import type { Hook } from "../types/hooks.js";
import type { Limits } from "../types/limits.js";
import type { Logger } from "../types/logger.js";
import type { ToolDefinition } from "../types/tools.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { ParkedError } from "../utils/parkedError.js";
import type { Background } from "./background.js";
import { isAllowed } from "./callApproval.js";
import { closeCall, closeExecuted } from "./callClosing.js";
import { type CallVerdict, judgedByHooks, tellHooksOfEnd } from "./callHooks.js";
import type { CallRules } from "./callRules.js";
import { startDetailsOf } from "./callStart.js";
import { executed } from "./executedCall.js";
import type { GuardManager } from "./guard/guardManager.js";
import type { GuardVerdict } from "./guard/warnings.js";
import { runsAgain } from "./interruptedCall.js";
import { answeredVerdict, type LimitQuestions } from "./limitVerdict.js";
import type { Parking } from "./parking.js";
import type { RunWriter } from "./runWriter.js";

export interface CallRunnerOptions {
  readonly writer: RunWriter;
  readonly parking: Parking;
  readonly registry: ToolRegistry;
  readonly approvals: ApprovalManager;
  readonly guards: GuardManager;
  readonly limitQuestions: LimitQuestions;
  /** The calls in the background; absent if every call is awaited. */
  readonly background?: Background;
  readonly callRules: CallRules;
  /** Asked about every call, in this order. */
  readonly hooks: readonly Hook[];
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
    sessionId: string,
    key: string,
    text: string,
  ) => Promise<{ readonly persistKey: string; readonly filePath: string }>;
}

/** What all runs of an agent share. */
export type RunnerSetup = Omit<
  CallRunnerOptions,
  "writer" | "registry" | "runId" | "sessionId" | "guardKey" | "parking" | "limitQuestions"
>;

export type CallEnd =
  | { readonly status: "ended" }
  /** A guard has had enough: the run must end. */
  | { readonly status: "stop"; readonly reason: string };

const ended: CallEnd = { status: "ended" };

/**
 * Runs the call to its end, from wherever another process left it. A bug of ours ends the call, not the run;
 * only a store that fails is thrown, and that the run was parked while the call waited.
 */
export async function runCall(
  callId: CallId,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<CallEnd> {
  const { writer, hooks } = options;
  const isHeard = hooks.some(({ afterCall }) => afterCall !== undefined);
  if (!isHeard) return endedCall(callId, signal, options);
  const watched = writer.watchClosing(callId);
  const tellEnd = async (): Promise<void> => {
    try {
      // A hook receives an end after it is stored.
      await writer.stored();
      const closing = watched.closing;
      if (closing !== undefined) await tellHooksOfEnd(closing, options);
    } finally {
      watched.stop();
    }
  };
  return options.parking.working(async () => {
    let isDetached = false;
    try {
      const end = await options.parking.resting(() => endedCall(callId, signal, options));
      isDetached = options.background?.has(callId) ?? false;
      if (isDetached) options.background?.afterEnd(callId, tellEnd);
      else await tellEnd();
      return end;
    } finally {
      if (!isDetached) watched.stop();
    }
  });
}

async function endedCall(
  callId: CallId,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<CallEnd> {
  return guarded(callId, options, () =>
    options.parking.working(() => ranCall(callId, signal, options)),
  );
}

async function guarded(
  callId: CallId,
  { writer, logger, runId }: CallRunnerOptions,
  work: () => Promise<CallEnd>,
): Promise<CallEnd> {
  try {
    return await work();
  } catch (error) {
    writer.failed.throwIfAborted();
    if (error instanceof ParkedError) throw error;
    const message = messageOfError(error);
    logger.error("A call ended with an internal error.", { runId, callId, error });
    closeCall(writer, { callId, outcome: "error", errorType: "internal", message });
    return ended;
  }
}

async function ranCall(
  callId: CallId,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<CallEnd> {
  const { writer, registry, guardKey } = options;
  const call = callOf(writer.state, callId);
  if (!call || !isUnfinished(call)) return ended;
  if (signal.aborted) return cancelled(callId, signal, writer);
  const fail = (errorType: string, message: string): CallEnd => {
    closeCall(writer, { callId, outcome: "error", errorType, message });
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
  const { toolType, name: toolName } = tool;
  const failed = (output: string): void =>
    options.guards.recordResult({ runId: guardKey, toolName, input }, { isError: true, output });
  if (call.status === "ready") {
    const check = (): GuardVerdict =>
      options.guards.check({ runId: guardKey, toolName, input, toolType });
    const verdict = check();
    const guarded =
      verdict.status === "ask" ? await answeredVerdict(check, signal, options) : verdict;
    if (signal.aborted) return cancelled(callId, signal, writer);
    if (guarded.status === "warn") return fail(guarded.errorType, guarded.message);
    if (guarded.status === "stop") {
      fail(guarded.errorType, guarded.reason);
      return { status: "stop", reason: guarded.reason };
    }
    // Unusable arguments cause no question, and the call is not shown as running.
    const problem = await tool.inputProblem(runInputOf(call) ?? input, signal);
    if (signal.aborted) return cancelled(callId, signal, writer);
    if (problem !== undefined) {
      failed(problem);
      return fail("invalid_arguments", problem);
    }
  }
  if (call.status !== "running") {
    const verdict = await verdictOf(call, tool, signal, options);
    if (signal.aborted) return cancelled(callId, signal, writer);
    // Hooks may have changed the arguments.
    const judged = callOf(writer.state, callId) ?? call;
    const asked = inputObjectOf(runInputOf(judged) ?? input);
    if (!(await isAllowed(judged, tool, asked, verdict, signal, options))) {
      failed("not allowed");
      return ended;
    }
    const amended = await amendmentVerdict(callId, tool, signal, options);
    if (amended.verdict === "deny") {
      closeCall(writer, { callId, outcome: "denied", message: amended.message });
      failed("not allowed");
      return ended;
    }
    if (signal.aborted) return cancelled(callId, signal, writer);
    // A call with a question in the middle of its execution continues.
    if (callOf(writer.state, callId)?.status !== "running") {
      const given = inputObjectOf(runInputOf(callOf(writer.state, callId) ?? judged) ?? input);
      const details = startDetailsOf(tool, given, options);
      const start = writer.propose({ type: "startCall", callId, ...details });
      if (start.status === "refused") {
        writer.reportRefusal(start.refusal);
        return fail("internal", `The call could not be started: ${start.refusal.message}`);
      }
    }
    await writer.stored();
    if (signal.aborted) return cancelled(callId, signal, writer);
  } else if (call.execution.onInterrupted !== undefined) {
    const execute = (one: ToolDefinition): Promise<ToolOutcome> =>
      executed(callId, one, signal, options, runCall);
    if (!(await runsAgain(call, { tool, signal, execute }, options))) return ended;
    if (signal.aborted) return cancelled(callId, signal, writer);
  }
  const finish = async (): Promise<CallEnd> => {
    const outcome = await executed(callId, tool, signal, options, runCall);
    await closeExecuted(callId, tool, input, outcome, options);
    return ended;
  };
  const running = callOf(writer.state, callId);
  if (running?.status !== "running" || !running.execution.isDetached) return finish();
  const { background } = options;
  if (background === undefined) return finish();
  background.start(callId, async () => void (await guarded(callId, options, finish)));
  return ended;
}

/** A call that waits for an answer, or was allowed, was judged before. */
async function verdictOf(
  call: UnfinishedCall,
  tool: ToolDefinition,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<CallVerdict> {
  if (call.status !== "ready" || call.isAllowed) return { verdict: "none" };
  return judgedByHooks(call, tool, signal, options);
}

/** Hooks judge the arguments that run: they are called again if an answer changed the arguments. */
async function amendmentVerdict(
  callId: CallId,
  tool: ToolDefinition,
  signal: AbortSignal,
  options: CallRunnerOptions,
): Promise<CallVerdict> {
  const call = callOf(options.writer.state, callId);
  if (call?.status !== "ready" || !call.isAllowed || !call.isAmended) return { verdict: "none" };
  return judgedByHooks(call, tool, signal, options);
}

type UnfinishedCall = Extract<CallState, { status: "ready" | "awaitingApproval" | "running" }>;

/** Running calls get here if another process started them and they survived it. */
function isUnfinished(call: CallState): call is UnfinishedCall {
  return call.status === "ready" || call.status === "awaitingApproval" || call.status === "running";
}

/** After a stop, no tool starts. */
function cancelled(callId: CallId, signal: AbortSignal, writer: RunWriter): CallEnd {
  closeCall(writer, { callId, outcome: "cancelled", message: abortReasonOf(signal) });
  return ended;
}

function inputObjectOf(input: JsonValue): JsonObject {
  return isJsonObject(input) ? input : {};
}
