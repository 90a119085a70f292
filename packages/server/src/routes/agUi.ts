/**
 * For AG-UI clients: a run of the thread's conversation, streamed as AG-UI events. It ends if the run needs an answer;
 * the client's next run of the thread contains the answers.
 */

import { agUiEventSchema } from "@callboard/run-log/http";
import type { AgUiMessage } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { isUuid } from "@callboard/store";
import { z } from "zod";
import type { Caller } from "../auth/caller.js";
import { alreadySent, callerRoute, type RequestContext, type Route } from "../http/route.js";
import { namedUuid } from "../ids.js";
import { openRunStream, type RunStream } from "../live/openRunStream.js";
import type { ServerParts } from "../parts.js";
import { type OpenTurn, openTurn, turnAfterOf } from "../runs/openTurn.js";
import type { MessageQueues } from "../runs/queue.js";
import type { RunStarter } from "../runs/startRun.js";
import { agUiMessagesOf, idleSinceOf } from "../runs/storedMessages.js";
import { storedRuns } from "../runs/storedRuns.js";
import { framedExtra, headersOf } from "../streams/format.js";
import type { AgUiTurns } from "../streams/formats/agUi.js";
import { requestedForm } from "../streams/requestedForm.js";
import { safeJson } from "../streams/safeJson.js";
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
      ...withoutUndefined({ sinceMessage: turn.sinceMessage }),
      agUiTurns: {
        threadId,
        runId,
        ...(parentRunId ? { parentRunId } : {}),
        ownResults: turn.ownResults ?? [],
        isVersion0: isVersion0(body),
        ...correctionOf(body, turn),
      },
    };
    await openRunStream(parts, context, { ...turn, form, caller });
    return alreadySent;
  }

  /** The thread for a client that has nothing of it: its messages, and the run that is running or waits. */
  async function connect(
    body: RunInput,
    context: RequestContext,
    caller: Caller,
    thread: string,
  ): Promise<Response> {
    const runs = await storedRuns(parts, caller, conversationOf(caller.userId, thread), mostRuns);
    const { threadId, runId } = body;
    const names = { threadId, runId };
    const newest = runs.at(-1);
    const idleSince = newest && idleSinceOf(newest.view);
    const snapshot = agUiMessagesOf(runs);
    const isOver = newest?.view.state.status !== "open";
    const isQuiet = newest?.view.isIdle === true && body.forwardedProps?.wait !== true;
    if (isOver || isQuiet) return wholeThread(names, snapshot, isVersion0(body));
    const { run, view } = newest;
    const asked = { ...names, ownResults: [], isVersion0: isVersion0(body) };
    const later: LaterStream =
      idleSince === undefined
        ? { told: { snapshot }, place: { run, turnAfter: turnAfterOf(view) } }
        : {
            told: { correction: { after: idleSince, messages: snapshot } },
            place: {
              run: { ...run, lastSeq: Math.max(run.lastSeq, idleSince) },
              cursor: { seq: idleSince, lines: 0 },
              turnAfter: view.isIdle ? idleSince : turnAfterOf(view),
            },
          };
    const form = {
      ...requestedForm(context.request.headers, { format: "ag-ui" }),
      agUiTurns: { ...asked, ...later.told },
    };
    await openRunStream(parts, context, { ...later.place, form, caller });
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
    callerRoute({
      ...shared,
      path: "/api/ag-ui/{thread}/connect",
      operation: "connectAgUi",
      summary:
        "A thread for a client that is loaded again: its messages, and the run that is open.",
      params: z.object({ thread: z.string().min(1).max(200) }),
      handle: ({ body, params, context }, caller) => connect(body, context, caller, params.thread),
    }),
  ];
}

/** What a client that connects is told first, and where its stream starts. */
interface LaterStream {
  readonly told: Pick<AgUiTurns, "snapshot" | "correction">;
  readonly place: Pick<RunStream, "run" | "cursor" | "turnAfter">;
}

const mostRuns = 1_000;

/**
 * CopilotKit adds the answer to a question to its messages as the result of the call, and would keep it instead of the
 * final result of the call. Such a client gets its own messages without it.
 */
function correctionOf(
  { messages }: RunInput,
  { cursor, refusedResults = [] }: OpenTurn,
): Pick<AgUiTurns, "correction"> {
  const kept = messages.filter(
    ({ role, toolCallId }) =>
      role !== "tool" || toolCallId === undefined || !refusedResults.includes(toolCallId),
  );
  if (kept.length === messages.length) return {};
  return { correction: { after: cursor.seq, messages: kept } };
}

/** Clients of AG-UI 1.0 say so. */
function isVersion0({ protocolVersion }: RunInput): boolean {
  return protocolVersion === undefined || protocolVersion === null;
}

/** No run is running: a run of the protocol that only sends the messages. */
function wholeThread(
  names: Pick<RunInput, "threadId" | "runId">,
  messages: readonly AgUiMessage[],
  isOfVersion0: boolean,
): Response {
  const outcome = isOfVersion0 ? {} : { outcome: { type: "success" } };
  const lines = [
    { type: "RUN_STARTED", ...names, protocolVersion: "1.0" },
    { type: "MESSAGES_SNAPSHOT", messages },
    { type: "RUN_FINISHED", ...names, ...outcome },
  ];
  const headers = headersOf({ format: "ag-ui", framing: "sse" });
  return new Response(lines.map((line) => framedExtra(safeJson(line), "sse")).join(""), {
    headers,
  });
}

/** A UUID is the id of that conversation; any other id is mapped to one of its user's own. */
function conversationOf(userId: string, threadId: string): string {
  const lower = threadId.toLowerCase();
  return isUuid(lower) ? lower : namedUuid("thread", userId, threadId);
}
