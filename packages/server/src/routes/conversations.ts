/** Conversations: the list, one of them, what belongs to it, and its forks. */
import { isJson } from "@callboard/run-log";
import {
  conversationFieldsSchema,
  conversationRowSchema,
  conversationsQuery,
  createConversationSchema,
  figuresQuery,
  figuresSchema,
  forkSchema,
  idParams,
  messageRowSchema,
  pageQuery,
  pageSchema,
  positionPageQuery,
  runRowSchema,
  toolCallRowSchema,
} from "@callboard/run-log/http";
import { HttpProblem, notFound } from "../http/problem.js";
import { callerRoute, json, type Route } from "../http/route.js";
import { isOwner } from "../live/readerForm.js";
import type { ServerParts } from "../parts.js";
import { cancelRun } from "../runs/cancelRun.js";
import { forkedOutputs } from "../runs/forkedOutputs.js";
import type { Viewer } from "../stores/runStore.js";
import { hasWords } from "./foundWords.js";

export function conversationRoutes(parts: ServerParts): readonly Route[] {
  const { conversations, store, rights, newId } = parts;
  const path = "/api/conversations/{id}";

  async function seen(viewer: Viewer, id: string) {
    const conversation = await conversations.find(viewer, id);
    if (!conversation) throw notFound(`conversation ${id}`);
    return shownTo(viewer, conversation);
  }

  /** A row of a conversation as its owner has it, or without secrets. */
  function shownTo<Row extends { readonly user_id: string }>(viewer: Viewer, row: Row): unknown {
    return row.user_id === viewer.userId ? row : redacted(row);
  }

  function redacted(value: unknown): unknown {
    const json: unknown = JSON.parse(JSON.stringify(value));
    return isJson(json) ? parts.redactor.redactJson(json) : null;
  }

  /** Without those of others that only a secret in them was found by: whoever may not read it could guess it in parts. */
  async function withoutSecretFinds<Row extends { readonly id: string; readonly user_id: string }>(
    viewer: Viewer,
    rows: readonly Row[],
    search: string | undefined,
  ): Promise<readonly Row[]> {
    const shared = rows.filter((row) => row.user_id !== viewer.userId).map(({ id }) => id);
    if (search === undefined || shared.length === 0) return rows;
    const found = await conversations.foundRows(viewer, shared, search);
    const shown = new Set(
      found
        .filter(({ row }) => hasWords(redacted(row), search))
        .map(({ conversationId }) => conversationId),
    );
    return rows.filter((row) => row.user_id === viewer.userId || shown.has(row.id));
  }

  /** The parts of a conversation, a page at a time. */
  const pages = [
    {
      rows: "messages",
      operation: "listMessages",
      summary: "The rows of cx_message, by position.",
      query: positionPageQuery,
      answer: pageSchema(messageRowSchema),
      read: conversations.messages,
    },
    {
      rows: "tool-calls",
      operation: "listToolCalls",
      summary: "The rows of cx_tool_call, by the time of their openings.",
      query: pageQuery,
      answer: pageSchema(toolCallRowSchema),
      read: conversations.toolCalls,
    },
    {
      rows: "runs",
      operation: "listRuns",
      summary: "The rows of cx_user_request, each with `run_status` and `last_seq`.",
      query: pageQuery,
      answer: pageSchema(runRowSchema),
      read: conversations.runs,
    },
  ];

  return [
    callerRoute({
      method: "GET",
      path: "/api/conversations",
      operation: "listConversations",
      summary: "The caller's conversations and those shared with them, the newest first.",
      query: conversationsQuery,
      answers: {
        200: { description: "A page of rows.", schema: pageSchema(conversationRowSchema) },
      },
      async handle({ query }, caller) {
        const { items: listed, ...page } = await conversations.list(caller, query);
        const items = await withoutSecretFinds(caller, listed, query.search);
        const ids = query.with_runs ? items.map(({ id }) => id) : [];
        const summaries = await conversations.summaries(caller, ids);
        const rows = items.map((row) => {
          const runs = summaries.get(row.id);
          return shownTo(caller, runs === undefined ? row : { ...row, runs });
        });
        return json(200, { items: rows, ...page });
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/figures",
      operation: "figures",
      summary: "What the caller's tools, models and days took.",
      query: figuresQuery,
      answers: { 200: { description: "By tool, by model and by day.", schema: figuresSchema } },
      handle: async ({ query }, caller) =>
        json(200, await conversations.figures(caller, query.days)),
    }),
    callerRoute({
      method: "POST",
      path: "/api/conversations",
      operation: "createConversation",
      summary: "Creates a conversation without messages.",
      body: createConversationSchema,
      answers: { 201: { description: "Its row.", schema: conversationRowSchema } },
      async handle({ body: { id = newId(), ...fields } }, caller) {
        const made = await conversations.create(caller, id, fields);
        if (made) return json(201, made);
        // Answered as everywhere: what is another user's is not there.
        if (!(await conversations.find(caller, id))) throw notFound(`conversation ${id}`);
        const detail = "There is a conversation of yours with this id already: use another id.";
        throw new HttpProblem(409, "exists", detail);
      },
    }),
    callerRoute({
      method: "GET",
      path,
      operation: "getConversation",
      isForVisitors: true,
      summary: "One conversation.",
      params: idParams,
      answers: { 200: { description: "Its row.", schema: conversationRowSchema } },
      handle: async ({ params }, caller) => json(200, await seen(caller, params.id)),
    }),
    callerRoute({
      method: "PATCH",
      path,
      operation: "changeConversation",
      summary: "Renames a conversation, or changes what describes it.",
      params: idParams,
      body: conversationFieldsSchema,
      answers: { 200: { description: "Its row.", schema: conversationRowSchema } },
      async handle({ params, body }, caller) {
        const changed = await conversations.change(caller, params.id, body);
        if (!changed) throw notFound(`conversation ${params.id} that you may change`);
        return json(200, shownTo(caller, changed));
      },
    }),
    callerRoute({
      method: "DELETE",
      path,
      operation: "deleteConversation",
      summary: "Deletes a conversation with everything in it and stops what runs in it.",
      params: idParams,
      answers: { 204: { description: "It is gone." } },
      async handle({ params }, caller) {
        const runs = await store.listRuns(caller, { conversationId: params.id, limit: 1 });
        if (!(await conversations.remove(caller, params.id))) {
          throw notFound(`conversation ${params.id} that you may delete`);
        }
        rights.changed(params.id);
        for (const { runId, status } of runs) {
          if (status === "closed") continue;
          const reason = "the conversation was deleted";
          await cancelRun(parts, runId, reason);
        }
        await parts.outputFiles.removeOf(params.id);
        return new Response(null, { status: 204 });
      },
    }),
    ...pages.map(({ rows, operation, summary, query: rowsQuery, answer, read }) =>
      callerRoute({
        method: "GET",
        path: `${path}/${rows}`,
        operation,
        isForVisitors: true,
        summary,
        params: idParams,
        query: rowsQuery,
        answers: { 200: { description: "A page of rows.", schema: answer } },
        async handle({ params, query }, caller) {
          await seen(caller, params.id);
          const page = await read(caller, params.id, query);
          const isRaw = await isOwner(parts, caller, params.id);
          return json(200, isRaw ? page : redacted(page));
        },
      }),
    ),
    callerRoute({
      method: "POST",
      path: `${path}/fork`,
      operation: "forkConversation",
      summary: "A new conversation with everything up to and including a position.",
      params: idParams,
      body: forkSchema,
      answers: { 201: { description: "The row of the new one.", schema: conversationRowSchema } },
      async handle({ params, body }, caller) {
        await seen(caller, params.id);
        const isRaw = await isOwner(parts, caller, params.id);
        const fork = await parts.fork({
          ...forkedOutputs(params.id, {
            outputs: parts.outputFiles.folder,
            kept: parts.store.keptOutputs,
            // A copy belongs to its creator: what they may not read is not copied.
            redactor: isRaw ? undefined : parts.redactor,
            logger: parts.logger,
          }),
          viewer: caller,
          conversationId: params.id,
          position: body.position,
          newId,
          onRead: (bytes) => parts.readBytes.spend(caller.limitedAs, bytes),
        });
        if (fork === undefined) throw notFound(`position ${body.position} in ${params.id}`);
        return json(201, await seen(caller, fork));
      },
    }),
  ];
}
