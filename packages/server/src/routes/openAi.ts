/**
 * For programs with OpenAI's protocols: `/v1/chat/completions`, `/v1/responses` and `/v1/models`. A model is an agent. A
 * response is one turn of a run, whose id it has; `previous_response_id` continues its conversation. A chat completion
 * starts a conversation unless it names one.
 */

import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";
import {
  openAiChatLineSchema,
  openAiChunkSchema,
  openAiCompletionSchema,
  openAiErrorSchema,
  openAiModelsSchema,
  openAiResponseLineSchema,
  openAiResponseSchema,
} from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { isUuid } from "@callboard/store";
import type { Caller } from "../auth/caller.js";
import { HttpProblem, notFound, refusedField } from "../http/problem.js";
import { alreadySent, callerRoute, json, type RequestContext, type Route } from "../http/route.js";
import { namedUuid } from "../ids.js";
import { openRunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import { type OpenTurn, openTurn } from "../runs/openTurn.js";
import type { MessageQueues } from "../runs/queue.js";
import type { RunStarter } from "../runs/startRun.js";
import { createLines, type StreamForm } from "../streams/format.js";
import type { OpenAiFormat } from "../streams/formats/openAi.js";
import { defaultRate } from "../streams/requestedForm.js";
import {
  completionSchema,
  type OpenAiRequest,
  requestOfCompletion,
  requestOfResponse,
  responseSchema,
} from "./openAiRequest.js";

export function openAiRoutes(
  parts: ServerParts,
  starter: RunStarter,
  queues: MessageQueues,
): readonly Route[] {
  const { store, directory } = parts;

  /** The conversation that a request continues, or a new one: the same for a repeated request. */
  async function conversationOf(
    caller: Caller,
    { runId, conversationId, digest }: OpenAiRequest,
    isRetry: boolean,
  ): Promise<string> {
    if (runId !== undefined) {
      const run = isUuid(runId) ? await store.findRun(caller, runId) : undefined;
      if (!run) throw notFound(`run ${runId}`);
      return run.conversationId;
    }
    if (conversationId !== undefined) {
      if (isUuid(conversationId)) return conversationId.toLowerCase();
      throw refusedField("metadata.conversation_id", "The id of a conversation is a UUID.");
    }
    for (let time = 0, last = ""; ; time += 1) {
      const id = namedUuid("openai", caller.userId, digest, String(time));
      if (!(await store.hasConversation(id))) return isRetry && last !== "" ? last : id;
      last = id;
    }
  }

  async function answered(
    request: OpenAiRequest,
    context: RequestContext,
    caller: Caller,
    format: OpenAiFormat,
    isStream: boolean,
  ): Promise<Response> {
    const { headers } = context.request;
    const { agentName, model, said, instructions, answers, clientTools, digest } = request;
    const isRetry = Number(headers.get("x-stainless-retry-count") ?? "0") > 0;
    if (isStream) parts.streams.assertRoom(caller.limitedAs);
    const turn = await openTurn(parts, starter, queues, caller, {
      ask: {
        agentName,
        conversationId: await conversationOf(caller, request, isRetry),
        variables: {},
        overrides: withoutUndefined({ model }),
        clientTools,
        toolsField: "tools",
        instructions,
      },
      answersTo: said === undefined ? request.runId : undefined,
      said: said && { ...said, id: `said-${digest}` },
      answers,
      whenBusy: "supersede",
      isAgain: !isRetry && (request.runId ?? request.conversationId) !== undefined,
    });
    const form: StreamForm = {
      format,
      framing: "sse",
      toolEvents: "v2",
      streamArguments: false,
      rate: defaultRate,
      ...withoutUndefined({ sinceMessage: turn.sinceMessage }),
    };
    if (!isStream) return whole(parts, turn, form);
    await openRunStream(parts, context, { ...turn, form, caller });
    return alreadySent;
  }

  return [
    callerRoute({
      method: "POST",
      path: "/v1/chat/completions",
      operation: "createChatCompletion",
      summary: "OpenAI's chat completions: runs the agent that `model` names.",
      body: completionSchema,
      answers: {
        200: {
          description: "The completion. Its stream ends with the line [DONE].",
          schema: openAiCompletionSchema,
          lines: { "text/event-stream": openAiChatLineSchema },
        },
        500: { description: "The run failed.", schema: openAiErrorSchema },
      },
      handle: ({ body, context }, caller) =>
        answered(requestOfCompletion(body), context, caller, "openai-chat", body.stream === true),
    }),
    callerRoute({
      method: "POST",
      path: "/v1/responses",
      operation: "createResponse",
      summary: "OpenAI's Responses API: runs the agent that `model` names.",
      body: responseSchema,
      answers: {
        200: {
          description: "The response.",
          schema: openAiResponseSchema,
          lines: { "text/event-stream": openAiResponseLineSchema },
        },
      },
      handle: ({ body, context }, caller) =>
        answered(
          requestOfResponse(body),
          context,
          caller,
          "openai-responses",
          body.stream === true,
        ),
    }),
    callerRoute({
      method: "GET",
      path: "/v1/models",
      operation: "listOpenAiModels",
      summary:
        "The agents, as models of OpenAI's protocols; `agent@model` names another model of an agent.",
      answers: { 200: { description: "The models.", schema: openAiModelsSchema } },
      handle() {
        const ids = [...directory.agents].flatMap(([name, { models = [] }]) => [
          name,
          ...models.map((model) => `${name}@${model}`),
        ]);
        const data = ids.map((id) => ({ id, object: "model", created: 0, owned_by: "callboard" }));
        return json(200, { object: "list", data });
      },
    }),
  ];
}

/** One turn of a run as one answer. */
async function whole(
  { store }: ServerParts,
  { run, cursor, turnAfter }: OpenTurn,
  form: StreamForm,
): Promise<Response> {
  const maker = createLines(form);
  const told: JsonObject[] = [];
  for await (const event of store.tail(run.runId, { after: 0 })) {
    for (const draft of maker.push(event)) {
      const line: unknown = JSON.parse(draft.json());
      if (draft.seq > cursor.seq && isJson(line) && isJsonObject(line)) told.push(line);
      if (!draft.isEnd && !(draft.isPause && draft.seq > turnAfter)) continue;
      return form.format === "openai-chat" ? completionOf(told) : lastResponseOf(told);
    }
  }
  const detail = `Lost the event stream of run ${run.runId} before the turn ended.`;
  throw new HttpProblem(503, "run-lost", detail);
}

function lastResponseOf(told: readonly JsonObject[]): Response {
  return json(200, told.at(-1)?.response ?? {});
}

function completionOf(told: readonly JsonObject[]): Response {
  const last = told.at(-1) ?? {};
  if ("error" in last) return json(500, last);
  const chunks = told.map((line) => openAiChunkSchema.parse(line));
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const content = deltas.map((delta) => delta.content ?? "").join("");
  const reasoning = deltas.map((delta) => delta.reasoning_content ?? "").join("");
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  const end = chunks.at(-1);
  const message = {
    role: "assistant",
    content: content === "" && calls.length > 0 ? null : content,
    refusal: null,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ index: _, ...call }) => call) }),
  };
  return json(200, {
    id: end?.id,
    object: "chat.completion",
    created: end?.created,
    model: end?.model,
    choices: [
      {
        index: 0,
        message,
        finish_reason: end?.choices[0]?.finish_reason ?? "stop",
        logprobs: null,
      },
    ],
    usage: end?.usage,
  });
}
