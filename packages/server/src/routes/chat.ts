/**
 * For the AI SDK's `useChat`: its request starts a run in the conversation of the chat, or contains the answers that the
 * run of the chat waits for; its resume finds the running run. The server has the conversation: only the last of the
 * sent messages is read.
 */
import { receiptSchema, uiMessageChunkSchema } from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { isUuid } from "@callboard/store";
import { z } from "zod";
import { notFound } from "../http/problem.js";
import { alreadySent, callerRoute, json, type Route } from "../http/route.js";
import { namedUuid } from "../ids.js";
import { openRunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import { stopRun } from "../runs/cancelRun.js";
import { type OpenTurn, openTurn, turnAfterOf } from "../runs/openTurn.js";
import type { MessageQueues } from "../runs/queue.js";
import { viewedRun } from "../runs/runWatch.js";
import type { RunStarter } from "../runs/startRun.js";
import { assertMaySteer } from "../runs/steering.js";
import { uiMessagesOf } from "../runs/storedMessages.js";
import { storedRuns } from "../runs/storedRuns.js";
import { uiMessages5Of } from "../runs/uiMessages5.js";
import type { Viewer } from "../stores/runStore.js";
import { beginning } from "../streams/cursor.js";
import type { StreamForm } from "../streams/format.js";
import { requestedForm } from "../streams/requestedForm.js";
import { chatSchema, chatTurnOf, pageToolsOf } from "./chatRequest.js";
import { cancelOnLeaving, idempotencyKeyOf } from "./execute.js";

const chatParams = z.object({ id: z.string().min(1).max(200) });

const uiMessagesSchema = z.array(
  z.looseObject({
    id: z.string(),
    role: z.enum(["user", "assistant"]),
    parts: z.array(z.unknown()),
  }),
);

const sdkQuery = z.object({
  sdk: z
    .enum(["5", "6", "7"])
    .default("6")
    .describe("The major version of the page's `ai`: 5 knows no approvals and gets data parts."),
});

const resumeQuery = sdkQuery.extend({
  run_id: z.uuid().optional().describe("The run of `after`. Default the newest of the chat."),
  after: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "`waitsAt` of the message's metadata: what comes after this turn, which may take as long as a call in the background.",
    ),
});

function nothingNew(): Response {
  return new Response(null, { status: 204 });
}

export function chatRoutes(
  parts: ServerParts,
  starter: RunStarter,
  queues: MessageQueues,
): readonly Route[] {
  const { store } = parts;
  const stream = {
    description: "The UI message stream.",
    lines: { "text/event-stream": uiMessageChunkSchema },
  };

  function formFor(headers: Headers, sdk: string, pageTools: readonly string[]): StreamForm {
    const form = requestedForm(headers, { format: "ui-message" });
    return { ...form, uiTurns: { pageTools, hasApprovals: sdk !== "5" } };
  }

  return [
    callerRoute({
      method: "POST",
      path: "/api/chat",
      operation: "chat",
      summary: "A message of the AI SDK's useChat, answered as a UI message stream.",
      query: sdkQuery,
      body: chatSchema,
      answers: { 200: stream },
      async handle({ body, query, context }, caller) {
        const { headers } = context.request;
        const conversationId = conversationOf(caller, body.id);
        const request = chatTurnOf(body, conversationId, idempotencyKeyOf(headers));
        parts.streams.assertRoom(caller.limitedAs);
        const turn = await openTurn(parts, starter, queues, caller, request);
        if (body.on_disconnect === "cancel") cancelOnLeaving(parts, context, turn.run);
        const pageTools = pageToolsOf(body).map(({ name }) => name);
        const form = { ...formFor(headers, query.sdk, pageTools), ...sinceOf(turn) };
        await openRunStream(parts, context, { ...turn, form, caller });
        return alreadySent;
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/chat/{id}/stream",
      operation: "resumeChat",
      summary: "The stream of the running run of a chat, from its start or after a turn.",
      params: chatParams,
      query: resumeQuery,
      answers: {
        200: stream,
        204: {
          description:
            "Nothing is under way; the run waits for an answer, or idles beside its calls in the background.",
        },
      },
      async handle({ params, query, context }, caller) {
        const conversationId = conversationOf(caller, params.id);
        const { run_id: runId, after } = query;
        const [newest] = await store.listRuns(caller, { conversationId, limit: 1 });
        const run = runId === undefined ? newest : await store.findRun(caller, runId);
        if (runId !== undefined && run?.conversationId !== conversationId) {
          throw notFound(`run ${runId} in chat ${params.id}`);
        }
        if (!run) return nothingNew();
        const { view } = await viewedRun(store, run.runId);
        const { seq, status } = view.state;
        const isQuiet = status !== "open" || view.waits.at(-1)?.isLast === true;
        const isOver = after !== undefined && (after > seq || (status !== "open" && after === seq));
        if (after === undefined ? isQuiet : isOver) return nothingNew();
        const form = formFor(context.request.headers, query.sdk, [...view.delegatedTools]);
        // A page that resumes draws the message again from its start.
        const [sinceMessage, since = 0] =
          [...view.laterTurns].findLast(([, at]) => at <= (after ?? seq)) ?? [];
        await openRunStream(parts, context, {
          run: { ...run, lastSeq: Math.max(run.lastSeq, seq) },
          form: { ...form, ...withoutUndefined({ sinceMessage }) },
          caller,
          cursor: since === 0 ? beginning : { seq: since, lines: 0 },
          turnAfter: after ?? turnAfterOf(view),
        });
        return alreadySent;
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/chat/{id}/messages",
      operation: "listChatMessages",
      summary: "The messages of a chat as useChat keeps them, for a page that is loaded again.",
      params: chatParams,
      query: sdkQuery.extend({ runs: z.coerce.number().int().min(1).max(1_000).default(100) }),
      answers: { 200: { description: "The messages.", schema: uiMessagesSchema } },
      async handle({ params, query }, caller) {
        const conversationId = conversationOf(caller, params.id);
        const runs = await storedRuns(parts, caller, conversationId, query.runs);
        const messages = uiMessagesOf(runs);
        return json(200, query.sdk === "5" ? uiMessages5Of(messages) : messages);
      },
    }),
    callerRoute({
      method: "POST",
      path: "/api/chat/{id}/stop",
      operation: "stopChat",
      summary: "Stops the run that is under way in a chat: for the page's stop button.",
      params: chatParams,
      answers: {
        202: { description: "It is being stopped.", schema: receiptSchema },
        204: { description: "Nothing is under way." },
      },
      async handle({ params }, caller) {
        const conversationId = conversationOf(caller, params.id);
        const [run] = await store.listRuns(caller, { conversationId, limit: 1 });
        if (run?.status !== "open") return new Response(null, { status: 204 });
        await assertMaySteer(parts, caller, run);
        await stopRun(parts, run, { reason: "cancelled by the user" });
        return json(202, { status: "cancelling" });
      },
    }),
  ];
}

export function sinceOf({ sinceMessage }: OpenTurn): Pick<StreamForm, "sinceMessage"> {
  return withoutUndefined({ sinceMessage });
}

/** A chat whose id is a UUID is the conversation of that id; any other has one of its own for each user. */
function conversationOf({ userId }: Viewer, chatId: string): string {
  const lower = chatId.toLowerCase();
  return isUuid(lower) ? lower : namedUuid("chat", userId, chatId);
}
