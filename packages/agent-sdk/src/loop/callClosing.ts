/**
 * How a call ends in the log: once, with what its tool gave or why it did not. A result that the log
 * does not take is an error of the call, never of the run.
 */
import {
  type CallDetails,
  type CallId,
  callOf,
  type JsonValue,
  type Timed,
} from "@callboard/run-log";
import { boundedText } from "@callboard/run-log/values";
import { exitCodeError } from "@callboard/run-log/writing";
import type { ToolOutcome } from "../tools/toolService.js";
import type { ToolDefinition } from "../types/tools.js";
import type { CallRunnerOptions } from "./callRunner.js";
import type { RunWriter } from "./runWriter.js";

type Untyped<Each> = Each extends unknown ? Omit<Each, "type"> : never;
type Closing = Untyped<Extract<Timed, { readonly type: "closeCall" }>>;

/** Ends a call. One that ended already, with the call that it works for, keeps that end. */
export function closeCall(writer: RunWriter, closing: Closing): void {
  const { callId } = closing;
  if (callOf(writer.state, callId)?.status === "closed") return;
  const decision = writer.propose({ type: "closeCall", ...closing });
  if (decision.status === "accepted") return;
  writer.reportRefusal(decision.refusal);
  const message = `The end of the call could not be recorded: ${decision.refusal.message}`;
  writer.record({ type: "closeCall", callId, outcome: "error", errorType: "internal", message });
}

/** Ends a call as its tool ended. */
export async function closeExecuted(
  callId: CallId,
  tool: ToolDefinition,
  input: JsonValue,
  outcome: ToolOutcome,
  options: CallRunnerOptions,
): Promise<void> {
  const { writer, guards, guardKey, limits } = options;
  const { details, output, retries } = outcome;
  const call = { runId: guardKey, toolName: tool.name, input };
  const kept = output === undefined ? {} : await boundedOutput(callId, output, details, options);
  if (outcome.status === "failed") {
    const { outcome: how, errorType } = outcome;
    const isAnswer = errorType === exitCodeError && output !== undefined;
    guards.recordResult(call, { isError: true, output: isAnswer ? output : outcome.message });
    const message = boundedText(outcome.message, limits.maxOutputChars);
    const end = { callId, outcome: how, errorType, message, retries };
    closeCall(writer, { ...end, ...details, ...kept });
    return;
  }
  guards.recordResult(call, { isError: false, output: outcome.output });
  const isJson = outcome.outputType === "json" && kept.output === output;
  closeCall(writer, {
    callId,
    outcome: "ok",
    ...details,
    output: outcome.output,
    ...kept,
    retries,
    ...(isJson ? { outputType: "json" } : {}),
  });
}

/** The log and the model get head and tail of a long output; the whole is in a file. */
async function boundedOutput(
  callId: CallId,
  text: string,
  result: Pick<CallDetails, "persistKey">,
  { limits, runId, sessionId, keepOutput, logger }: CallRunnerOptions,
): Promise<{ readonly output?: string; readonly persistKey?: string; readonly filePath?: string }> {
  if (text.length <= limits.maxOutputChars || result.persistKey !== undefined) {
    return { output: text };
  }
  const output = boundedText(text, limits.maxOutputChars);
  try {
    return { output, ...(await keepOutput(sessionId, `${runId}/${callId}`, text)) };
  } catch (error) {
    logger.error("Saving a long output to a file failed; the log has its head and its tail.", {
      callId,
      error,
    });
    return { output };
  }
}
