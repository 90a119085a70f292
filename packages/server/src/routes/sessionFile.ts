/** A conversation as a session of the home, so that the terminal can continue it. */
import { idParams, sessionFileSchema } from "@callboard/run-log/http";
import type { ConversationStore } from "@callboard/store";
import { notFound } from "../http/problem.js";
import { callerRoute, json, type Route } from "../http/route.js";
import type { HomeSessions } from "../intake/homeSessions.js";

export function sessionFileRoute(
  conversations: Pick<ConversationStore, "find">,
  home: Pick<HomeSessions, "moveToFile">,
): Route {
  return callerRoute({
    method: "POST",
    path: "/api/conversations/{id}/session-file",
    operation: "moveToSessionFile",
    summary: "Moves a conversation to a session file of the home, where the terminal continues it.",
    params: idParams,
    answers: { 200: { description: "The session.", schema: sessionFileSchema } },
    async handle({ params }, caller) {
      if (!(await conversations.find(caller, params.id)))
        throw notFound(`conversation ${params.id}`);
      return json(200, { session_id: await home.moveToFile(params.id) });
    },
  });
}
