/**
 * For AG-UI clients: a run of the thread's conversation, streamed as AG-UI events. It ends where the run
 * needs someone; the client's next run of the thread brings the answers.
 */
import { agUiEventSchema } from "@callboard/run-log/http";
import { isUuid } from "@callboard/store";
import { z } from "zod";
import type { Caller } from "../auth/caller.js";
import { alreadySent, callerRoute, type RequestContext, type Route } from "../http/route.js";
import { namedUuid } from "../ids.js";
import { openRunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import { openTurn } from "../runs/openTurn.js";
import type { MessageQueues } from "../runs/queue.js";
import type { RunStarter } from "../runs/startRun.js";
import { requestedForm } from "../streams/requestedForm.js";
import { agUiTurnOf, type RunInput, runInputSchema } from "./agUiRequest.js";
import { cancelOnLeaving } from "./execute.js";

export function agUiRoutes(
  parts: ServerParts,
  starter: RunStarter,
  queues: MessageQueues,
): readonly Route[] {
  async function run(
    body: RunInput,
    context: RequestContext,
    caller: Caller,
    agentName?: string,
  ): Promise<Response> {
    const { threadId, runId, parentRunId } = body;
    const request = agUiTurnOf(body, conversationOf(caller.userId, threadId), agentName);
    parts.streams.assertRoom(caller.limitedAs);
    const turn = await openTurn(parts, starter, queues, caller, request);
    if (body.forwardedProps?.on_disconnect === "cancel") cancelOnLeaving(parts, context, turn.run);
    const form = {
      ...requestedForm(context.request.headers, { format: "ag-ui" }),
      agUiTurns: {
        threadId,
        runId,
        ...(parentRunId ? { parentRunId } : {}),
        ownResults: request.answers.results.map(({ callId }) => callId),
      },
    };
    await openRunStream(parts, context, { ...turn, form, caller });
    return alreadySent;
  }

  const shared = {
    method: "POST",
    body: runInputSchema,
    answers: {
      200: { description: "AG-UI events.", lines: { "text/event-stream": agUiEventSchema } },
    },
  } as const;
  return [
    callerRoute({
      ...shared,
      path: "/api/ag-ui",
      operation: "agUi",
      summary: "A run for an AG-UI client. Its own tools are executed by the client.",
      handle: ({ body, context }, caller) => run(body, context, caller),
    }),
    callerRoute({
      ...shared,
      path: "/api/ag-ui/{agent}",
      operation: "agUiOfAgent",
      summary: "The same with the agent of this name.",
      params: z.object({ agent: z.string().min(1).max(1_000) }),
      handle: ({ body, params, context }, caller) => run(body, context, caller, params.agent),
    }),
  ];
}

/** A UUID is the id of that conversation; any other id stands for one that is its user's own. */
function conversationOf(userId: string, threadId: string): string {
  const lower = threadId.toLowerCase();
  return isUuid(lower) ? lower : namedUuid("thread", userId, threadId);
}
