/** One stream for everything that a page watches. */
import { z } from "zod";
import { HttpProblem, notFound } from "../http/problem.js";
import { alreadySent, callerRoute, type RequestContext, type Route } from "../http/route.js";
import { formQuery, idSchema } from "../http/schemas.js";
import { openSink } from "../live/openRunStream.js";
import { type WatchOptions, watch } from "../live/watch.js";
import { noWatchCursor, parseWatchCursor, type WatchCursor } from "../live/watchCursor.js";
import type { ServerParts } from "../parts.js";
import type { Viewer } from "../stores/runStore.js";
import { type Cursor, parseCursor } from "../streams/cursor.js";
import { requestedForm } from "../streams/requestedForm.js";

const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .union([item.transform((one) => [one]), z.array(item)])
    .optional()
    .transform((items) => items ?? []);

const runSchema = z.string().transform((text, context) => {
  const [, id = "", after = "0"] = /^([^:]+)(?::([\d.]+))?$/.exec(text) ?? [];
  const runId = idSchema.safeParse(id);
  const from = parseCursor(after);
  if (runId.success && from) return { runId: runId.data, from };
  context.addIssue("write <run id>:<cursor>");
  return z.NEVER;
});

const streamQuery = formQuery.extend({
  run: listOf(runSchema),
  conversation: listOf(idSchema),
  mine: z.enum(["true", "false"]).optional(),
  cursor: z.string().max(100_000).optional(),
});

const most = 1_000;

export function streamRoutes(parts: ServerParts): readonly Route[] {
  const { store } = parts;

  async function named(
    viewer: Viewer,
    runs: readonly { readonly runId: string; readonly from: Cursor }[],
  ): Promise<WatchOptions["runs"]> {
    const found = await Promise.all(
      runs.map(async ({ runId, from }) => {
        const facts = await store.findRun(viewer, runId);
        return facts ? [[runId, { facts, from }] as const] : [];
      }),
    );
    return new Map(found.flat());
  }

  return [
    callerRoute({
      method: "GET",
      path: "/api/agent/stream",
      operation: "watch",
      summary: "Many runs on one stream: named ones, those of conversations, one's own.",
      query: streamQuery,
      answers: {
        200: {
          description: "The stream.",
          mediaTypes: ["application/x-ndjson", "text/event-stream"],
        },
      },
      async handle({ query, context }, caller) {
        const { run: runs, conversation: conversations, mine } = query;
        const isMine = mine === "true";
        if (runs.length + conversations.length === 0 && !isMine) throw nothingNamed();
        if (runs.length + conversations.length > most) throw tooManyNamed();
        const form = requestedForm(context.request.headers, query);
        if (form.format === "ui-message" || form.format === "ag-ui") throw wrongFormat();
        const cursor = cursorOf(context, query.cursor);
        const visible =
          conversations.length === 0
            ? new Set<string>()
            : await store.visibleConversations(caller, conversations);
        const found = await named(caller, runs);
        const unseen = {
          runs: runs.map(({ runId }) => runId).filter((id) => !found.has(id)),
          conversations: conversations.filter((id) => !visible.has(id)),
        };
        if (visible.size + found.size === 0 && !isMine) throw nothingThere(unseen);
        parts.metrics.add("callboard_streams_opened_total", { format: `watch ${form.format}` });
        const sink = openSink(parts, context, form, caller, {});
        await watch(parts, {
          caller,
          sink,
          form,
          runs: found,
          conversations: [...new Set(conversations)].filter((id) => visible.has(id)),
          isMine,
          cursor,
          unseen,
        });
        return alreadySent;
      },
    }),
  ];
}

function cursorOf({ request }: RequestContext, asked: string | undefined): WatchCursor {
  const text = request.headers.get("last-event-id") ?? asked;
  if (!text) return noWatchCursor;
  const cursor = parseWatchCursor(text);
  if (cursor) return cursor;
  throw invalid("cursor", "It is not a cursor of this stream: leave it out to begin anew.");
}

function nothingThere({ runs: [run], conversations: [conversation] }: WatchOptions["unseen"]) {
  return notFound(run === undefined ? `conversation ${conversation}` : `run ${run}`);
}

function nothingNamed(): HttpProblem {
  return invalid("run", "Name what to watch: run=<id>, conversation=<id> or mine=true.");
}

function tooManyNamed(): HttpProblem {
  return invalid("run", `Name at most ${most} runs and conversations.`);
}

function wrongFormat(): HttpProblem {
  return invalid("format", "Many runs are streamed as events or log: the other formats know one.");
}

function invalid(field: string, message: string): HttpProblem {
  return new HttpProblem(422, "invalid-request", message, { errors: [{ field, message }] });
}
