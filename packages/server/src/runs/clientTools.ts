/**
 * Tools that a client executes: the call says so in the log and waits here for its result, until it
 * expires or is cancelled. Only the node that runs the call waits; the log tells everybody else.
 */
import { createHash } from "node:crypto";
import {
  type Clock,
  defineTool,
  type ToolDefinition,
  ToolFailure,
  type ToolResult,
} from "@callboard/agent-sdk";
import type { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import type { CallResultBody, clientToolSchema } from "../http/schemas.js";
import { sortedJson } from "../http/sortedJson.js";
import { delegatedStep } from "./runView.js";

export type ClientTool = z.infer<typeof clientToolSchema>;

export interface ClientCalls {
  /** The tool as an agent has it. */
  toolFor(tool: ClientTool): ToolDefinition;
  /** False when no such call waits here. */
  resolve(runId: string, callId: string, result: CallResultBody): boolean;
}

export function createClientCalls({ clock }: { readonly clock: Clock }): ClientCalls {
  const waiting = new Map<string, (result: CallResultBody) => void>();
  const keyOf = (runId: string, callId: string): string => `${runId} ${callId}`;

  function answered(key: string, signal: AbortSignal): Promise<CallResultBody> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        waiting.delete(key);
        reject(new ToolFailure("cancelled", "The call was cancelled before the client answered."));
      };
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop, { once: true });
      waiting.set(key, (result) => {
        waiting.delete(key);
        signal.removeEventListener("abort", stop);
        resolve(result);
      });
    });
  }

  return {
    toolFor: (tool) =>
      defineTool({
        name: tool.name,
        description: tool.description,
        kind: "other",
        input: tool.input_schema,
        isForeign: true,
        concurrency: "safe",
        timeoutMs: tool.expires_in_seconds * 1_000,
        async run(_, { runId, callId, signal, step }) {
          const result = answered(keyOf(runId, callId), signal);
          const expiresAt = clock.now() / 1_000 + tool.expires_in_seconds;
          step(delegatedStep, { delegated_to: "client", expires_at: expiresAt });
          return toolResult(await result);
        },
      }),
    resolve(runId, callId, result) {
      const answer = waiting.get(keyOf(runId, callId));
      answer?.(result);
      return answer !== undefined;
    },
  };
}

/** An agent with any tool has this one too. */
const delegateName = "delegate";

/** The client's tools, to be had beside an agent's own. Throws a problem that names the first that cannot be. */
export function clientToolsBeside(
  own: readonly ToolDefinition[],
  tools: readonly ClientTool[],
  toolFor: ClientCalls["toolFor"],
  field: string,
): readonly ToolDefinition[] {
  const taken = new Set([delegateName, ...own.map(({ name }) => name)]);
  return tools.map((tool, index) => {
    if (taken.has(tool.name)) throw nameTaken(tool.name, `${field}.${index}`);
    taken.add(tool.name);
    try {
      return toolFor(tool);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const message = `The schema of ${tool.name} cannot be used: ${why}.`;
      throw refused(message, `${field}.${index}`);
    }
  });
}

export function nameTaken(name: string, field: string): HttpProblem {
  return refused(`Another tool is named ${name}: choose another name.`, field);
}

function refused(message: string, field: string): HttpProblem {
  return new HttpProblem(422, "invalid-request", message, { errors: [{ field, message }] });
}

function toolResult(body: CallResultBody): ToolResult {
  const { output = "", is_error, error_message, images } = body;
  if (is_error) {
    const said = typeof output === "string" ? output : JSON.stringify(output);
    throw new ToolFailure(
      "client_error",
      error_message ?? (said || "The client reported an error."),
    );
  }
  return {
    output,
    metadata: { result_digest: digestOf(body) },
    ...(images === undefined
      ? {}
      : {
          images: images.map(({ data, media_type }) => {
            return media_type === undefined ? { data } : { data, mediaType: media_type };
          }),
        }),
  };
}

/** The same for the same result, whatever the order of its fields. */
export function digestOf({ output = "", output_type, images }: CallResultBody): string {
  const said = sortedJson([output, output_type ?? null, images ?? []]);
  return createHash("sha256").update(said).digest("base64url");
}
