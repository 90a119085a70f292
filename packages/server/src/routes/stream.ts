/** One stream for everything that a page watches. */
import {
  mostWatched,
  type WatchBody,
  type WatchQuery,
  watchQuery,
  watchSchema,
} from "@callboard/run-log/http";
import type { Caller } from "../auth/caller.js";
import { watchLines } from "../http/lines.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { alreadySent, callerRoute, type RequestContext, type Route } from "../http/route.js";
import { openSink } from "../live/openRunStream.js";
import { ownRunsNow } from "../live/ownRunsNow.js";
import { type WatchOptions, watch } from "../live/watch.js";
import { noWatchCursor, ownRuns, parseWatchCursor, type WatchCursor } from "../live/watchCursor.js";
import type { ServerParts } from "../parts.js";
import type { Viewer } from "../stores/runStore.js";
import { beginning, parseCursor } from "../streams/cursor.js";
import { requestedForm } from "../streams/requestedForm.js";

export function streamRoutes(parts: ServerParts): readonly Route[] {
  const { store } = parts;

  async function named(viewer: Viewer, runs: WatchBody["runs"]): Promise<WatchOptions["runs"]> {
    const found = await Promise.all(
      runs.map(async ({ run_id: runId, cursor }) => {
        const facts = await store.findRun(viewer, runId);
        const from = parseCursor(cursor) ?? beginning;
        return facts ? [[runId, { facts, from }] as const] : [];
      }),
    );
    return new Map(found.flat());
  }

  async function told(asked: WatchBody, context: RequestContext, caller: Caller) {
    const { runs, conversations, mine: isMine } = asked;
    if (runs.length + conversations.length === 0 && !isMine) throw nothingNamed();
    if (runs.length + conversations.length > mostWatched) throw tooManyNamed();
    const form = requestedForm(context.request.headers, asked);
    if (form.format !== "events" && form.format !== "log") throw wrongFormat();
    const cursor = cursorOf(context, asked.cursor);
    const visible =
      conversations.length === 0
        ? new Set<string>()
        : await store.visibleConversations(caller, conversations);
    const found = await named(caller, runs);
    const unseen = {
      runs: runs.map(({ run_id }) => run_id).filter((id) => !found.has(id)),
      conversations: conversations.filter((id) => !visible.has(id)),
    };
    if (visible.size + found.size === 0 && !isMine) throw nothingThere(unseen);
    const isNew = isMine && !cursor.scopes.has(ownRuns);
    const own = isNew ? { own: await ownRunsNow(store, caller) } : {};
    parts.metrics.add("callboard_streams_opened_total", { format: `watch ${form.format}` });
    const sink = openSink(parts, context, form, caller, {});
    await watch(parts, {
      caller,
      sink,
      form,
      runs: found,
      conversations: [...new Set(conversations)].filter((id) => visible.has(id)),
      isMine,
      ...own,
      cursor,
      unseen,
    });
    return alreadySent;
  }

  const answers = { 200: { description: "The stream.", lines: watchLines } };
  return [
    callerRoute({
      method: "POST",
      path: "/api/agent/stream",
      operation: "watch",
      isForVisitors: true,
      summary: "Many runs on one stream: named ones, those of conversations, one's own.",
      body: watchSchema,
      answers,
      handle: ({ body, context }, caller) => told(body, context, caller),
    }),
    callerRoute({
      method: "GET",
      path: "/api/agent/stream",
      operation: "watchByAddress",
      isForVisitors: true,
      summary: "The same for a browser's EventSource, which sends no body.",
      query: watchQuery,
      answers,
      handle: ({ query, context }, caller) => told(watchBodyOf(query), context, caller),
    }),
  ];
}

function watchBodyOf({ run, conversation, ...rest }: WatchQuery): WatchBody {
  return {
    ...rest,
    runs: queryListOf(run).map((text) => {
      const [run_id = "", cursor = "0"] = text.split(":");
      return { run_id: run_id.toLowerCase(), cursor };
    }),
    conversations: queryListOf(conversation),
  };
}

function queryListOf(value: string | string[] | undefined): string[] {
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

function cursorOf({ request }: RequestContext, asked: string | undefined): WatchCursor {
  const text = request.headers.get("last-event-id") ?? asked;
  if (!text) return noWatchCursor;
  const cursor = parseWatchCursor(text);
  if (cursor) return cursor;
  throw invalid(
    "cursor",
    "It is not a cursor of this stream. Omit it to start from the beginning.",
  );
}

function nothingThere({ runs: [run], conversations: [conversation] }: WatchOptions["unseen"]) {
  return notFound(run === undefined ? `conversation ${conversation}` : `run ${run}`);
}

function nothingNamed(): HttpProblem {
  return invalid("run", "Name what to watch: run=<id>, conversation=<id> or mine=true.");
}

function tooManyNamed(): HttpProblem {
  return invalid("run", `Name at most ${mostWatched} runs and conversations.`);
}

function wrongFormat(): HttpProblem {
  return invalid("format", "A stream of several runs supports only the formats events and log.");
}

function invalid(field: string, message: string): HttpProblem {
  return new HttpProblem(422, "invalid-request", message, { errors: [{ field, message }] });
}
