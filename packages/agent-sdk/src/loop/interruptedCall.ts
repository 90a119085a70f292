/**
 * A call that had started when its process ended, and that has an interruption policy. Nothing is repeated without
 * knowledge: its tool finds out what happened, declares that running twice is harmless, or a person is asked.
 */

import {
  approvalId,
  type CallId,
  type CallState,
  isJsonObject,
  type JsonValue,
  runInputOf,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { z } from "zod";
import { interruptionReason, unknownEffect } from "../sessions/interruption.js";
import { isToolResult } from "../tools/toolResult.js";
import type { ToolOutcome } from "../tools/toolService.js";
import type { Reconciliation, ToolDefinition } from "../types/tools.js";
import { answeredQuestion, notRepeated, repeatOptions } from "./callApproval.js";
import { closeCall, closeExecuted } from "./callClosing.js";
import type { CallRunnerOptions } from "./callRunner.js";

export type RunningCall = Extract<CallState, { status: "running" }>;

/** A call that takes its process with it every time is not tried for ever. */
const mostAttempts = 5;

const reconciliationSchema: z.ZodType<Reconciliation> = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("done"), result: z.unknown() }),
  z.strictObject({ status: z.literal("notDone") }),
  z.strictObject({ status: z.literal("unknown") }),
]);

export interface TakingUp {
  readonly tool: ToolDefinition;
  readonly signal: AbortSignal;
  /** Runs what a tool does, as a call of it is run. */
  readonly execute: (tool: ToolDefinition) => Promise<ToolOutcome>;
}

/** Whether the call runs again; if not, it has ended. */
export async function runsAgain(
  call: RunningCall,
  taking: TakingUp,
  options: CallRunnerOptions,
): Promise<boolean> {
  const { callId, execution } = call;
  const { tool } = taking;
  const { writer, callRules } = options;
  const policy = callRules.toolFor(tool, runInputOf(call) ?? {}).onInterrupted;
  if (policy === undefined) return interrupted(callId, options, interruptionReason);
  if (execution.retries >= mostAttempts) {
    const message = `The process ended ${execution.retries} times while the call ran. It is not run again.`;
    return interrupted(callId, options, message);
  }
  if (policy === "ask") return askedAgain(call, taking, options);
  if (policy !== "retry") {
    const found = await reconciled(policy.reconcile, taking, options);
    // The caller sees that it is cancelled.
    if (taking.signal.aborted) return true;
    if (found.status === "unknown") return askedAgain(call, taking, options);
    if (found.status === "done") {
      const result = isToolResult(found.result) ? found.result : { output: found.result };
      const known = await taking.execute({ ...tool, execute: async () => result });
      const sent = call.input.parsed ? call.input.value : {};
      await closeExecuted(callId, tool, sent, known, options);
      return false;
    }
  }
  writer.record({
    type: "progressCall",
    callId,
    progress: { type: "retry", attempt: execution.retries + 1, reason: interruptionReason },
  });
  await writer.stored();
  return true;
}

function interrupted(callId: CallId, { writer }: CallRunnerOptions, message: string): false {
  closeCall(writer, { callId, outcome: "interrupted", message });
  return false;
}

/** What the tool found out. A tool that fails, or returns another value, found out nothing. */
async function reconciled(
  reconcile: (input: JsonValue, context: Parameters<ToolDefinition["execute"]>[1]) => unknown,
  { tool, execute }: TakingUp,
  { logger, runId }: CallRunnerOptions,
): Promise<Reconciliation> {
  let found: Reconciliation = { status: "unknown" };
  const outcome = await execute({
    ...tool,
    retries: 0,
    async execute(given, context) {
      found = reconciliationSchema.parse(await reconcile(given, context));
      return { output: "" };
    },
  });
  if (outcome.status === "failed") {
    const what = { runId, toolName: tool.name, problem: outcome.message };
    logger.error("A tool could not find out what an interrupted call did.", what);
  }
  return found;
}

async function askedAgain(
  call: RunningCall,
  { tool, signal }: TakingUp,
  options: CallRunnerOptions,
): Promise<boolean> {
  const { callId } = call;
  const { approvals, writer } = options;
  if (!approvals.canAsk) return interrupted(callId, options, unknownEffect);
  const id = approvalId(options.newId());
  const asked = approvals.ask(id, new Set(repeatOptions.map(({ optionId }) => optionId)));
  const expiresAt = approvals.pending().find((one) => one.approvalId === id)?.expiresAt;
  const input = runInputOf(call) ?? {};
  const what = tool.title(isJsonObject(input) ? input : {}) ?? tool.name;
  writer.record({
    type: "askApproval",
    callId,
    approvalId: id,
    options: repeatOptions,
    reason: `${what}: ${unknownEffect}. Run it again?`,
    ...withoutUndefined({ expiresAt }),
  });
  const answer = await answeredQuestion(callId, id, asked, signal, options);
  if (answer === undefined) return false;
  const { allowed, answeredBy, optionId } = answer;
  const message = allowed ? answer.message : notRepeated(answer);
  writer.record({
    type: "answerApproval",
    callId,
    approvalId: id,
    allowed,
    answeredBy,
    ...withoutUndefined({ optionId, message }),
  });
  await writer.stored();
  return allowed;
}
