/** The execution of a call: by its tool here, or by a client that sends the result. */

import { type CallId, callOf, runInputOf } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { effectKeyOf } from "../tools/effectKey.js";
import { executeTool, type ToolOutcome } from "../tools/toolService.js";
import type { RemoteExecution, ToolContext, ToolDefinition, ToolResult } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { askingWithin, type RunCall } from "./askWithin.js";
import type { CallRunnerOptions } from "./callRunner.js";
import { traceOf } from "./runTrace.js";
import type { RunWriter } from "./runWriter.js";

/** Runs the tool of a call whose start is stored. `runCall` runs the questions of the tool. */
export function executed(
  callId: CallId,
  tool: ToolDefinition,
  signal: AbortSignal,
  options: CallRunnerOptions,
  runCall: RunCall,
): Promise<ToolOutcome> {
  const { writer, limits, clock, logger, runId, sessionId, workdir } = options;
  const { additionalDirectories, callRules } = options;
  const call = callOf(writer.state, callId);
  const delegation = call?.status === "running" ? call.execution.delegation : undefined;
  const askUser = askingWithin(callId, signal, options, runCall);
  // Somebody may have changed the arguments; the guards count by those that the model sent.
  const input = (call && runInputOf(call)) ?? {};
  return executeTool({
    input,
    tool: tool.remote
      ? waitingTool(tool, tool.remote, delegation?.expiresAt, options)
      : callRules.toolFor(tool, input),
    clock,
    signal,
    graceMs: limits.graceMs,
    // The log contains who executes it, and until when: there is nothing else to report while it waits.
    heartbeatMs: tool.remote ? Number.POSITIVE_INFINITY : limits.heartbeatMs,
    report(progress) {
      const decision = writer.propose({ type: "progressCall", callId, progress });
      return decision.status === "accepted" ? undefined : decision.refusal.message;
    },
    context: {
      callId,
      toolName: tool.name,
      runId,
      effectKey: effectKeyOf(runId, callId),
      ...tracedCall(writer, callId),
      sessionId,
      workdir,
      additionalDirectories,
      logger,
      ...withoutUndefined({ askUser }),
    },
  });
}

function tracedCall(writer: RunWriter, callId: CallId): Pick<ToolContext, "traceparent"> {
  const traceparent = traceOf(writer, `call ${callId}`);
  return withoutUndefined({ traceparent });
}

/** Replaces a tool that a client executes: it waits for the result, until it expires. */
function waitingTool(
  tool: ToolDefinition,
  remote: RemoteExecution,
  expiresAt: number | undefined,
  { clock, parking, runId }: CallRunnerOptions,
): ToolDefinition {
  const left = (expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
  return {
    ...tool,
    timeoutMs: Math.max(0, left),
    retries: 0,
    execute(input, { callId, signal }) {
      const wait = remote.wait(runId, callId, input);
      const stopped = new Promise<ToolResult>((_resolve, reject) => {
        const stop = (): void => {
          wait.withdraw();
          reject(new ToolFailure("cancelled", "The call was cancelled before its result came."));
        };
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
      });
      return parking.waiting({ ...wait, answered: Promise.race([wait.answered, stopped]) });
    },
  };
}
