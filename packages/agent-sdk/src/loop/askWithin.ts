/**
 * A question that a tool asks the person while it runs, such as an MCP server's: a call of `ask_user` within the
 * tool's own call. It ends with that call, since only the running tool can use the answer: the run is not parked
 * meanwhile, and after a crash both are closed as interrupted.
 */
import {
  type CallId,
  type CallState,
  callId as callIdOf,
  callOf,
  isJson,
  isJsonObject,
  type JsonValue,
  messageId,
} from "@callboard/run-log";
import { askToolName, type UserQuestion, userQuestionSchema } from "@callboard/run-log/asking";
import { inputDetails, shownTool } from "../tools/inputDetails.js";
import type { ToolRegistry } from "../tools/toolRegistry.js";
import type { QuestionOutcome, RemoteExecution, ToolContext } from "../types/tools.js";
import type { CallRunnerOptions } from "./callRunner.js";

/** Runs a call to its end. */
export type RunCall = (
  callId: CallId,
  signal: AbortSignal,
  options: CallRunnerOptions,
) => Promise<unknown>;

/** Undefined if questions are not possible. */
export function askingWithin(
  parentCallId: CallId,
  signal: AbortSignal,
  options: CallRunnerOptions,
  run: RunCall,
): ToolContext["askUser"] {
  const tool = options.registry.find(askToolName);
  const remote = tool?.remote;
  if (tool === undefined || remote === undefined) return undefined;
  const { writer, newId, workdir } = options;
  return async (question: UserQuestion) => {
    const input = userQuestionSchema.parse(question);
    if (!isJson(input) || !isJsonObject(input)) throw new TypeError("A question is JSON.");
    const message = messageId(newId());
    const callId = callIdOf(newId());
    const { name: toolName } = tool;
    writer.record({ type: "openMessage", messageId: message, role: "assistant", parentCallId });
    const call = { messageId: message, callId, ...shownTool(tool), parentCallId };
    writer.record({ type: "openCall", ...call });
    const details = inputDetails(tool, input, workdir);
    writer.record({ type: "closeInput", callId, text: JSON.stringify(input), ...details });
    writer.record({ type: "closeMessage", messageId: message });
    const heard: Heard = {};
    const asking = { ...tool, remote: overheard(remote, heard) };
    const find: ToolRegistry["find"] = (name) =>
      name === toolName ? asking : options.registry.find(name);
    await run(callId, signal, { ...options, registry: { ...options.registry, find } });
    return outcomeOf(callOf(writer.state, callId), heard);
  };
}

/** The person's answer. The log has it too, but truncated if it is long. */
interface Heard {
  answer?: JsonValue;
  refusal?: string;
}

function overheard(remote: RemoteExecution, heard: Heard): RemoteExecution {
  return {
    ...remote,
    wait(...question) {
      const wait = remote.wait(...question);
      const answered = wait.answered.then(
        (result) => {
          if (isJson(result.output)) heard.answer = result.output;
          return result;
        },
        (error: unknown) => {
          if (error instanceof Error) heard.refusal = error.message;
          throw error;
        },
      );
      return { ...wait, answered };
    },
  };
}

function outcomeOf(call: CallState | undefined, { answer, refusal }: Heard): QuestionOutcome {
  if (call?.status !== "closed") return { status: "cancelled" };
  switch (call.outcome) {
    case "ok":
      return answer === undefined ? { status: "cancelled" } : { status: "answered", answer };
    case "error":
    case "denied":
      return { status: "declined", reason: refusal ?? "The question was not let through." };
    case "timeout":
      return { status: "expired" };
    case "cancelled":
    case "interrupted":
      return { status: "cancelled" };
    default:
      return call.outcome satisfies never;
  }
}
