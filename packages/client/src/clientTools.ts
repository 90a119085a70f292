/**
 * Tools that run here, in the page or program that reads the run. A call that was delegated to the
 * client is executed once and its result handed in; what the tool throws is an answer too.
 */

import { type CallEvent, isCallEvent, type JsonValue, type RunEvent } from "@callboard/run-log";
import type { CallResult, ClientToolDefinition } from "@callboard/run-log/http";
import type { CallTrack } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { createRunFold } from "./board/runFold.js";
import type { Client } from "./clientContract.js";
import { ProblemError } from "./http/problem.js";

export interface ClientTool extends ClientToolDefinition {
  readonly run: (input: JsonValue) => JsonValue | Promise<JsonValue>;
}

export interface ClientTools {
  /** Their description for `execute` (`client_tools`). */
  readonly definitions: readonly ClientToolDefinition[];
  /** Reads an event of a run and, if it delegates a call to one of these tools, executes it. */
  push(event: RunEvent): void;
  /** Resolves when every started call has been answered. */
  settled(): Promise<void>;
}

export interface ClientToolsOptions {
  readonly client: Client;
  readonly tools: readonly ClientTool[];
  /** Called when a result could not be sent. Default `console.error`. */
  readonly onError?: (error: unknown) => void;
}

export function createClientTools(options: ClientToolsOptions): ClientTools {
  const { client, tools, onError = console.error } = options;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const folds = new Map<string, ReturnType<typeof createRunFold>>();
  const begun = new Map<string, Promise<void>>();

  async function execute(runId: string, call: CallTrack, tool: ClientTool): Promise<void> {
    try {
      // The event may be old: only the server knows whether the call still waits.
      const { pending_calls } = await client.run(runId);
      if (!pending_calls.some(({ call_id }) => call_id === call.callId)) return;
      await client.answerCall(
        runId,
        call.callId,
        await executedResultOf(tool, clientInputOf(call)),
      );
    } catch (error) {
      // Another page was faster, or the call is over: this result is not needed.
      const isTooLate = error instanceof ProblemError && [409, 410].includes(error.status);
      if (!isTooLate) onError(error);
    }
  }

  return {
    definitions: tools.map(({ run: _, ...definition }) => definition),
    push(event) {
      const fold = folds.get(event.runId) ?? createRunFold(event.runId);
      folds.set(event.runId, fold);
      fold.push(event);
      if (event.type === "run.closed") folds.delete(event.runId);
      if (!isCallEvent(event) || !isDelegation(event)) return;
      const call = fold.call(event.callId);
      const tool = call && byName.get(call.toolName);
      const key = `${event.runId} ${event.callId}`;
      if (!tool || begun.has(key)) return;
      begun.set(key, execute(event.runId, call, tool));
    },
    async settled() {
      await Promise.all(begun.values());
    },
  };
}

/** The arguments that the call runs with: a person may have changed what the model sent. */
function clientInputOf({ amendedInput, input = {} }: CallTrack): JsonValue {
  return amendedInput === undefined ? input : amendedInput.value;
}

/** The start of a call names the client that executes it. */
function isDelegation(event: CallEvent): boolean {
  return event.type === "call.run.started" && event.delegatedTo !== undefined;
}

async function executedResultOf(tool: ClientTool, input: JsonValue): Promise<CallResult> {
  try {
    return { output: await tool.run(input) };
  } catch (error) {
    const error_message = messageOfError(error);
    return { is_error: true, error_message };
  }
}
