/** The shares of a conversation, and its export as a file. */
import type { ServerResponse } from "node:http";
import { createRedactor } from "@callboard/agent-sdk";
import { formatEventLine, type RunEvent, runEventSchema } from "@callboard/run-log";
import {
  exportQuery,
  idParams,
  receiptSchema,
  shareSchema,
  sharesSchema,
  unshareSchema,
} from "@callboard/run-log/http";
import { HttpProblem, notFound } from "../http/problem.js";
import { alreadySent, callerRoute, json, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";

const pageEvents = 1_000;
/** How long the reader of an export may read nothing. */
const stallMs = 60_000;

export function sharingRoutes(parts: ServerParts): readonly Route[] {
  const { sharing, conversations, store, rights, readBytes, env } = parts;
  const path = "/api/conversations/{id}";

  /** The conversation's events run after run, each page as lines. */
  async function* linesOf(
    runIds: readonly string[],
    leaving: (event: RunEvent) => RunEvent,
  ): AsyncGenerator<string> {
    for (const runId of runIds) {
      for (let after = 0; ; after += pageEvents) {
        const page = await store.read(runId, { after, limit: pageEvents });
        yield page.map((event) => formatEventLine(leaving(event))).join("");
        if (page.length < pageEvents) break;
      }
    }
  }

  return [
    callerRoute({
      method: "GET",
      path: `${path}/shares`,
      operation: "listShares",
      summary: "The shares of a conversation; for its owner and its admins.",
      params: idParams,
      answers: { 200: { description: "The shares.", schema: sharesSchema } },
      handle: async ({ params }, caller) =>
        json(200, { items: await sharing.list(caller, params.id) }),
    }),
    callerRoute({
      method: "POST",
      path: `${path}/shares`,
      operation: "share",
      summary: "Shares a conversation with a user, or with all users.",
      params: idParams,
      body: shareSchema,
      answers: { 200: { description: "It is shared.", schema: receiptSchema } },
      async handle({ params, body }, caller) {
        const { user_id: userId, is_public: isPublic, level } = body;
        if (userId !== undefined) await sharing.shareWith(caller, params.id, userId, level);
        else if (isPublic !== true) throw nobody();
        else if (level !== "viewer") throw publicReads();
        else await sharing.publish(caller, params.id, true);
        return json(200, { status: "shared" });
      },
    }),
    callerRoute({
      method: "DELETE",
      path: `${path}/shares`,
      operation: "unshare",
      summary: "Takes a share back.",
      params: idParams,
      body: unshareSchema,
      answers: { 204: { description: "It is no longer shared." } },
      async handle({ params, body }, caller) {
        const { user_id: userId, is_public: isPublic } = body;
        if (userId === undefined && isPublic !== true) throw nobody();
        if (isPublic === true) await sharing.publish(caller, params.id, false);
        const wasShared =
          userId === undefined || (await sharing.unshareWith(caller, params.id, userId));
        rights.changed(params.id);
        if (!wasShared) throw notFound(`share of ${params.id} with ${userId}`);
        return new Response(null, { status: 204 });
      },
    }),
    callerRoute({
      method: "GET",
      path: `${path}/export`,
      operation: "exportConversation",
      summary: "The logs of its runs as JSONL, without secrets unless its owner asks for them.",
      params: idParams,
      query: exportQuery,
      answers: {
        200: { description: "The logs.", lines: { "application/jsonl": runEventSchema } },
      },
      async handle({ params, query, context }, caller) {
        const conversation = await conversations.find(caller, params.id);
        if (!conversation) throw notFound(`conversation ${params.id}`);
        const isRaw = query.redact === "false";
        if (isRaw && conversation.user_id !== caller.userId) throw ownersAlone();
        const redacted = createRedactor({ env }).createEventRedactor();
        const leaving = isRaw ? (event: RunEvent) => event : redacted;
        const runs = await store.listRuns(caller, { conversationId: params.id, limit: 10_000 });
        const { outgoing } = context;
        outgoing.setTimeout(stallMs, () => outgoing.destroy());
        outgoing.writeHead(200, {
          ...context.headers,
          "content-type": "application/jsonl",
          "cache-control": "no-store",
          "content-disposition": `attachment; filename="${params.id}.jsonl"`,
        });
        const runIds = runs.map(({ runId }) => runId).toReversed();
        for await (const text of linesOf(runIds, leaving)) {
          if (outgoing.destroyed) break;
          readBytes.spend(caller.limitedAs, text.length);
          if (!outgoing.write(text)) await drained(outgoing);
        }
        outgoing.end();
        return alreadySent;
      },
    }),
  ];
}

/** Resolves when the reader accepts more again, or when it has left. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off("drain", done);
      outgoing.off("close", done);
      resolve();
    };
    outgoing.once("drain", done);
    outgoing.once("close", done);
  });
}

function nobody(): HttpProblem {
  const message = "Set user_id, or is_public: true.";
  return new HttpProblem(422, "invalid-request", message, {
    errors: [{ field: "user_id", message }],
  });
}

function publicReads(): HttpProblem {
  const message = "Everybody may read a public conversation, never change it: level viewer.";
  return new HttpProblem(422, "invalid-request", message, {
    errors: [{ field: "level", message }],
  });
}

function ownersAlone(): HttpProblem {
  const detail = "Only the owner of a conversation may take its secrets along: leave redact out.";
  return new HttpProblem(403, "owner-only", detail);
}
