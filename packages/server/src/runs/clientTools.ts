/**
 * Tools that a client executes: the log records it, and the call waits for its result, until it expires or is cancelled.
 * A run that waits for nothing else is parked; the node that receives the result resumes the run.
 */
import { createHash } from "node:crypto";
import {
  createUserQuestions,
  defineTool,
  type ToolDefinition,
  ToolFailure,
  type ToolResult,
} from "@callboard/agent-sdk";
import { SchemaRefusedError, type SchemaThread, type Wait } from "@callboard/agent-sdk/serving";
import { type CallResultBody, clientToolSchema } from "@callboard/run-log/http";
import { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import { sortedJson } from "../http/sortedJson.js";
import type { ServedAgent } from "./servedAgent.js";

export type ClientTool = z.infer<typeof clientToolSchema>;

export const clientToolsSchema = z.array(clientToolSchema);

export interface ClientCalls {
  /**
   * The tool as an agent has it. Rejects with a SchemaRefusedError if its schema cannot be used, and with the reason of the
   * signal if that aborts while it waits for its turn.
   */
  toolFor(owner: string, tool: ClientTool, signal?: AbortSignal): Promise<ToolDefinition>;
  /**
   * `ask_user` of an agent that may ask: a question to the reader of the run. Its answer comes like the result of a
   * client's tool, and it expires as the approvals of the agent do.
   */
  askToolsOf(agent: Pick<ServedAgent, "asksUser" | "approval">): readonly ToolDefinition[];
  /** False when no such call waits here. */
  resolve(runId: string, callId: string, result: CallResultBody): boolean;
}

export interface ClientCallsOptions {
  /** Where the schemas of clients are compiled and applied. */
  readonly schemas: SchemaThread;
}

export function createClientCalls({ schemas }: ClientCallsOptions): ClientCalls {
  const waiting = new Map<string, (result: CallResultBody) => void>();
  const keyOf = (runId: string, callId: string): string => `${runId} ${callId}`;

  const waitFor =
    (resultOf: (body: CallResultBody) => ToolResult) =>
    (runId: string, callId: string): Wait<ToolResult> => {
      const key = keyOf(runId, callId);
      const answered = new Promise<CallResultBody>((resolve) => {
        waiting.set(key, (result) => {
          waiting.delete(key);
          resolve(result);
        });
      });
      return {
        answered: answered.then(resultOf),
        isAnswered: () => !waiting.has(key),
        withdraw: () => void waiting.delete(key),
      };
    };
  return {
    async toolFor(owner, tool, signal) {
      const timeoutMs = tool.expires_in_seconds === null ? null : tool.expires_in_seconds * 1_000;
      const defined = defineTool({
        name: tool.name,
        description: tool.description,
        kind: "other",
        input: await schemas.check(owner, tool.name, tool.input_schema, signal),
        concurrency: "safe",
        run: () => Promise.reject(new Error("a client executes it")),
      });
      const wait = waitFor(toolResult);
      return { ...defined, remote: { delegatedTo: "client", timeoutMs, wait } };
    },
    askToolsOf({ asksUser = false, approval: { timeoutMs } = {} }) {
      if (!asksUser) return [];
      const { tool } = createUserQuestions(timeoutMs === undefined ? {} : { timeoutMs });
      const { remote } = tool;
      return [remote ? { ...tool, remote: { ...remote, wait: waitFor(answerResult) } } : tool];
    },
    resolve(runId, callId, result) {
      const answer = waiting.get(keyOf(runId, callId));
      answer?.(result);
      return answer !== undefined;
    },
  };
}

/** An agent with any tool has this one too. */
const delegateName = "delegate";

/** Characters that the schemas of one request may have together. */
const maxSchemaChars = 524_288;

/**
 * The client's tools, to be used beside an agent's own. Throws a problem that names the first that cannot
 * be used.
 */
export async function clientToolsBeside(
  own: readonly ToolDefinition[],
  tools: readonly ClientTool[],
  toolFor: (tool: ClientTool) => Promise<ToolDefinition>,
  field: string,
): Promise<readonly ToolDefinition[]> {
  const taken = new Set([delegateName, ...own.map(({ name }) => name)]);
  let chars = 0;
  tools.forEach(({ name, input_schema }, index) => {
    if (taken.has(name)) throw nameTaken(name, `${field}.${index}`);
    taken.add(name);
    chars += JSON.stringify(input_schema).length;
    if (chars > maxSchemaChars) throw tooLarge(`${field}.${index}`);
  });
  const made: ToolDefinition[] = [];
  for (const [index, tool] of tools.entries()) {
    made.push(
      await toolFor(tool).catch((error: unknown) => {
        if (!(error instanceof SchemaRefusedError)) throw error;
        const message = `The schema of ${tool.name} cannot be used: ${error.message}.`;
        throw refusedTool(message, `${field}.${index}`);
      }),
    );
  }
  return made;
}

function tooLarge(field: string): HttpProblem {
  const message = `The schemas of the tools have more than ${maxSchemaChars} characters together: send fewer or smaller ones.`;
  return refusedTool(message, field);
}

export function nameTaken(name: string, field: string): HttpProblem {
  return refusedTool(`Another tool is named ${name}: choose another name.`, field);
}

function refusedTool(message: string, field: string): HttpProblem {
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

/** An error is a person who does not answer. */
function answerResult(body: CallResultBody): ToolResult {
  if (!body.is_error) return toolResult(body);
  throw new ToolFailure("declined", body.error_message ?? declinedAnswer);
}

export const declinedAnswer = "The user declined to answer.";

/** The same for the same result, whatever the order of its fields. */
export function digestOf({ output = "", output_type, images }: CallResultBody): string {
  const said = sortedJson([output, output_type ?? null, images ?? []]);
  return createHash("sha256").update(said).digest("base64url");
}
