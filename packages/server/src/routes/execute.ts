/**
 * Starting a run, of an agent or of one tool that a person runs: the stream of it, or one answer at its
 * end. Leaving does not end the run.
 */

import {
  compactSchema,
  type ExecuteBody,
  executedSchema,
  executeSchema,
  type FormQuery,
  formQuery,
  idParams,
  queuedSchema,
  type RunBody,
  runToolSchema,
} from "@callboard/run-log/http";
import { createProjector, createToolEventProjection } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Caller } from "../auth/caller.js";
import { runLines } from "../http/lines.js";
import { HttpProblem } from "../http/problem.js";
import { alreadySent, callerRoute, json, type RequestContext, type Route } from "../http/route.js";
import { openRunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import { cancelRun } from "../runs/cancelRun.js";
import type { MessageQueues, Queued } from "../runs/queue.js";
import type { Ask, BegunRun, RunStarter } from "../runs/startRun.js";
import { userInputOf } from "../runs/userInput.js";
import { requestedForm } from "../streams/requestedForm.js";

export function executeRoutes(
  parts: ServerParts,
  starter: RunStarter,
  queues: MessageQueues,
): readonly Route[] {
  const answers = {
    200: {
      description: "The stream, or one answer at the end with stream: false.",
      schema: executedSchema,
      lines: runLines,
    },
    202: { description: "The message waits for the run that is under way.", schema: queuedSchema },
  };

  async function started(
    { body, query, context }: Started,
    caller: Caller,
    ask: Omit<Ask, "agentName" | "idempotencyKey">,
    whenBusy: ExecuteBody["when_busy"] = "reject",
  ): Promise<Response> {
    const { headers } = context.request;
    const form = requestedForm(headers, query, {
      toolEvents: body.tool_events,
      streamArguments: body.stream_arguments || body.debug,
      ...(body.debug ? { rate: "all" as const } : {}),
    });
    const idempotencyKey = idempotencyKeyOf(headers);
    if (body.stream) parts.streams.assertRoom(caller.limitedAs);
    const asked = { ...ask, agentName: body.prompt_id, idempotencyKey };
    const run =
      whenBusy === "reject"
        ? await starter.begin(caller, asked)
        : await queues.beginOrQueue(caller, asked, whenBusy === "steer" ? "step" : "run");
    if ("waitsIn" in run) return waits(run);
    if (body.on_disconnect === "cancel") cancelOnLeaving(parts, context, run);
    if (!body.stream) return whole(parts, run);
    await openRunStream(parts, context, { run, form, caller });
    return alreadySent;
  }

  return [
    callerRoute({
      method: "POST",
      path: "/api/agent/execute",
      operation: "execute",
      summary: "Runs an agent and streams what it does.",
      query: formQuery,
      body: executeSchema,
      answers,
      handle: (input, caller) => started(input, caller, askOf(input.body), input.body.when_busy),
    }),
    callerRoute({
      method: "POST",
      path: "/api/conversations/{id}/calls",
      operation: "runTool",
      summary: "Runs one tool of the agent now, as the caller, and streams its run.",
      params: idParams,
      query: formQuery,
      body: runToolSchema,
      answers,
      handle(input, caller) {
        const { tool_name: toolName, arguments: args } = input.body;
        return started(input, caller, {
          conversationId: input.params.id,
          mayCreate: false,
          wish: { type: "call", toolName, input: args },
          variables: {},
          overrides: {},
          clientTools: [],
        });
      },
    }),
    callerRoute({
      method: "POST",
      path: "/api/conversations/{id}/compact",
      operation: "compactConversation",
      summary: "Summarizes the conversation so far for the model, and streams that run.",
      params: idParams,
      query: formQuery,
      body: compactSchema,
      answers,
      handle: (input, caller) =>
        started(input, caller, {
          conversationId: input.params.id,
          mayCreate: false,
          wish: { type: "compact" },
          variables: {},
          overrides: input.body.config_overrides,
          clientTools: [],
        }),
    }),
  ];
}

interface Started {
  readonly body: RunBody;
  readonly query: FormQuery;
  readonly context: RequestContext;
}

function askOf(body: ExecuteBody): Omit<Ask, "agentName" | "idempotencyKey"> {
  return {
    conversationId: body.conversation_id,
    mayCreate: body.is_new_conversation !== false,
    wish: { type: "message", ...userInputOf(body.user_input) },
    variables: body.variables,
    overrides: body.config_overrides,
    clientTools: body.client_tools,
  };
}

const longestKey = 255;

export function idempotencyKeyOf(headers: Headers): string | undefined {
  const key = headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length >= 1 && key.length <= longestKey) return key;
  const message = `A key has 1 to ${longestKey} characters.`;
  throw new HttpProblem(422, "invalid-request", message, {
    errors: [{ field: "Idempotency-Key", message }],
  });
}

/** The request set that its run ends with it. */
export function cancelOnLeaving(
  parts: ServerParts,
  { outgoing }: RequestContext,
  { runId }: BegunRun,
): void {
  const leave = (): void => {
    if (outgoing.writableFinished) return;
    const reason = "the reader left";
    cancelRun(parts, runId, reason).catch((error) => {
      parts.logger.error("Cancelling a run whose reader left failed.", { runId, error });
    });
  };
  // A client that left while the run was starting has already closed.
  if (outgoing.destroyed) leave();
  else outgoing.once("close", leave);
}

function waits({ messageId, conversationId, waitsIn }: Queued): Response {
  const answer = {
    status: "queued",
    message_id: messageId,
    conversation_id: conversationId,
    waits_in: waitsIn,
  };
  return json(202, answer, { "x-conversation-id": conversationId });
}

/** Waits for the end and gives what the stream's last lines say. */
async function whole({ store }: ServerParts, run: BegunRun): Promise<Response> {
  const projector = createProjector(createToolEventProjection());
  let personsCall: string | undefined;
  /** The output of a tool that a person ran, or a summary: there is no other answer. */
  let ownOutput: string | undefined;
  for await (const event of store.tail(run.runId, { after: 0 })) {
    projector.push(event);
    if (event.type === "call.closed" && event.callId === personsCall) {
      ownOutput = event.output ?? (event.outcome === "ok" ? "" : event.message);
    }
    const isSummary = event.type === "context.compacted" && event.cause === "asked";
    if (isSummary) ownOutput = event.summary;
    if (event.type === "call.opened" && event.openedBy === "user") personsCall = event.callId;
    if (event.type !== "run.closed") continue;
    const { inputTokens: input_tokens, outputTokens: output_tokens, costUsd } = event.usage;
    const total_tokens = input_tokens + output_tokens;
    const cost = withoutUndefined({ cost_usd: costUsd });
    const answer = {
      request_id: run.runId,
      conversation_id: run.conversationId,
      outcome: event.outcome,
      output: ownOutput ?? projector.memory.answer.text,
      usage: { input_tokens, output_tokens, total_tokens, ...cost },
      tool_calls: event.calls,
    };
    return json(200, answer, {
      "x-request-id": run.runId,
      "x-conversation-id": run.conversationId,
    });
  }
  const detail = `Lost the event stream of run ${run.runId} before the run ended. Read its state with GET /api/agent/runs/${run.runId}.`;
  throw new HttpProblem(503, "run-lost", detail);
}
