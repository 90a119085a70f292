/**
 * A command or a tool that the person runs beside the model: a run of its own with one call. It needs no approval and no
 * guard counts it; the model reads it in its next request.
 */

import {
  type CallId,
  type CallOutcome,
  callId,
  callOf,
  conversationId,
  type EventOf,
  type JsonObject,
  messageId,
  type PendingQuestion,
  type RunOutcome,
  runId as runIdOf,
} from "@callboard/run-log";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { questionsOf } from "@callboard/run-log/writing";
import { inputDetails, shownTool } from "../tools/inputDetails.js";
import { createToolRegistry, type ToolRegistry } from "../tools/toolRegistry.js";
import { takenTraceparent } from "../tracing/traceContext.js";
import type { ToolRunResult } from "../types/agent.js";
import type { ToolDefinition } from "../types/tools.js";
import { closeCall } from "./callClosing.js";
import { type CallRunnerOptions, runCall } from "./callRunner.js";
import { createCallSignals } from "./callSignals.js";
import { guardedPast } from "./guardedPast.js";
import { createLimitQuestions } from "./limitQuestions.js";
import { createParking } from "./parking.js";
import type { OpenRun } from "./run.js";
import type { RunParts, RunSetup } from "./runParts.js";
import { createRunWriter } from "./runWriter.js";
import { toolsOf } from "./turnsOptions.js";

/** The person named a tool that the agent does not have. */
export class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
}

export interface UserCall {
  /** Default a new one. */
  readonly runId?: string;
  /** Of the person's message. Default a new one. */
  readonly messageId?: string;
  /** The span that the run works for. */
  readonly traceparent?: string;
  /** The tool's own name, or an old one. */
  readonly toolName: string;
  readonly input: JsonObject;
  /** Whether rules that deny hold for the person too. */
  readonly obeysRules: boolean;
}

export interface OpenUserCall
  extends Pick<OpenRun, "runId" | "signals" | "parking" | "questions" | "hasLastingCalls"> {
  readonly result: Promise<ToolRunResult>;
}

/** Starts the call; `abort` ends it from outside. Throws an UnknownToolError before anything is logged. */
export function startUserCall(setup: RunSetup, call: UserCall, abort: AbortSignal): OpenUserCall {
  const { conversation, clock, logger } = setup;
  const runId = call.runId ?? setup.newId();
  let closing: EventOf<"call.closed"> | undefined;
  const writer = createRunWriter({
    runId: runIdOf(runId),
    store: conversation.log,
    clock,
    pulse: setup.pulse,
    tell(event) {
      if (event.type === "call.closed" && event.callId === id) closing = event;
      conversation.take(event);
    },
    logger,
  });
  const signal = AbortSignal.any([abort, writer.failed]);
  const signals = createCallSignals(signal);
  // A person waits for what they started: it is not parked.
  const parking = createParking({ clock, afterMs: undefined, park: () => false });
  const before = guardedPast([]);
  const own = { setup, writer, runId, signal, signals, parking };
  const limitQuestions = createLimitQuestions(own, () => undefined);
  const parts: RunParts = { ...own, before, limitQuestions };
  const registry = createToolRegistry(toolsOf(parts));
  const tool = knownTool(registry, call.toolName);
  const id = callId(conversation.callIds.take(`user-${runId}`));

  async function life(): Promise<ToolRunResult> {
    const callSignal = signals.signalOf(id);
    try {
      recordCall(parts, tool, call, id);
      setup.queue.open(writer);
      await runCall(id, callSignal, personsOptions(parts, registry, call));
    } catch (error) {
      // `runCall` ends what it started: only the opening of the call can fail here.
      writer.failed.throwIfAborted();
      logger.error("A call ended with an internal error.", { runId, error });
      const message = messageOfError(error);
      const end = { callId: id, outcome: "error", errorType: "internal", message } as const;
      if (callOf(writer.state, id)) closeCall(writer, end);
    }
    signals.release(id);
    await writer.stored();
    const end = callEndOf(closing);
    const reason = withoutUndefined({ reason: end.message });
    const next = setup.queue.close(setup.nextRunId());
    writer.record({ type: "closeRun", outcome: runOutcomes[end.outcome], ...reason, ...next });
    await writer.stored();
    return { runId, callId: id, ...end };
  }
  const questions = (): readonly PendingQuestion[] => questionsOf(writer.state);
  // A call of the person ends with its process.
  const hasLastingCalls = (): boolean => false;
  const result = life().finally(() => setup.guards.endRun(runId));
  return { runId, signals, parking, questions, hasLastingCalls, result };
}

function knownTool(registry: ToolRegistry, name: string): ToolDefinition {
  const tool = registry.find(name);
  if (tool) return tool;
  const names = registry.tools.map((one) => one.name).join(", ");
  throw new UnknownToolError(`There is no tool ${name}. There are: ${names || "none"}.`);
}

function recordCall(
  { setup, writer, runId }: RunParts,
  tool: ToolDefinition,
  { input, messageId: named, traceparent: asked }: UserCall,
  id: CallId,
): void {
  const { conversation, userId, workdir } = setup;
  const message = messageId(named ?? setup.newId());
  const traceparent = takenTraceparent(asked ?? setup.traceparent);
  const { toolType } = tool;
  writer.record({
    type: "startRun",
    runId: runIdOf(runId),
    conversationId: conversationId(conversation.log.sessionId),
    model: toolType === "agent" ? setup.model.label : "none",
    ...withoutUndefined({ userId, traceparent }),
  });
  writer.record({ type: "openMessage", messageId: message, role: "user" });
  writer.record({
    type: "openCall",
    messageId: message,
    callId: id,
    ...shownTool(tool),
    openedBy: "user",
  });
  const text = JSON.stringify(input);
  const details = inputDetails(tool, input, workdir);
  writer.record({ type: "closeInput", callId: id, text, ...details });
  writer.record({ type: "closeMessage", messageId: message });
}

/** A person who runs a tool has approved it; deny rules still apply. */
function personsOptions(
  { setup, writer, runId, parking, limitQuestions }: RunParts,
  registry: ToolRegistry,
  { obeysRules }: UserCall,
): CallRunnerOptions {
  const { approvals, guards, conversation } = setup;
  return {
    ...setup,
    writer,
    registry,
    parking,
    limitQuestions,
    runId,
    guardKey: runId,
    sessionId: conversation.log.sessionId,
    approvals: {
      ...approvals,
      verdictOf: (subject) =>
        obeysRules ? approvals.verdictOf(subject, false) : { verdict: "allowed", rule: undefined },
    },
    guards: { ...guards, check: () => ({ status: "pass" }), recordResult: () => undefined },
  };
}

const runOutcomes: Readonly<Record<CallOutcome, RunOutcome>> = {
  ok: "ok",
  error: "error",
  denied: "error",
  cancelled: "cancelled",
  timeout: "timeout",
  interrupted: "interrupted",
};

type CallEndResult = Omit<ToolRunResult, "runId" | "callId">;

function callEndOf(closing: EventOf<"call.closed"> | undefined): CallEndResult {
  if (closing === undefined) {
    return { outcome: "interrupted", errorType: "internal", message: "the call has no end" };
  }
  const { outcome, output, exitCode, summary, filePath } = closing;
  return {
    outcome,
    ...withoutUndefined({ output, summary, exitCode, filePath }),
    ...(closing.outcome === "ok" ? {} : { errorType: closing.errorType, message: closing.message }),
  };
}
