/** One run: its description, its stream from any position, and the commands of people while it runs. */

import { type CallId, callOf, isJson, runOutcomes } from "@callboard/run-log";
import {
  approvalParams,
  approvalSchema,
  callParams,
  callResultSchema,
  cancelSchema,
  eventsQuery,
  idParams,
  promptQuery,
  receiptSchema,
  runStatusSchema,
  sentPromptSchema,
} from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Caller } from "../auth/caller.js";
import { runLines } from "../http/lines.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { alreadySent, callerRoute, json, type Route } from "../http/route.js";
import { openRunStream } from "../live/openRunStream.js";
import { isOwner, seesSecrets } from "../live/readerForm.js";
import type { ServerParts } from "../parts.js";
import { answerApproval } from "../runs/answerApproval.js";
import { stopRun } from "../runs/cancelRun.js";
import { inputSchemasOf } from "../runs/inputSchemas.js";
import { resolveCall } from "../runs/resolveCall.js";
import { createRunViewer, pendingOf } from "../runs/runView.js";
import { viewedRun } from "../runs/runWatch.js";
import { sentPrompt } from "../runs/sentPrompt.js";
import { assertMaySteer } from "../runs/steering.js";
import type { RunFacts, Viewer } from "../stores/runStore.js";
import { parseCursor } from "../streams/cursor.js";
import { lastEventId, requestedForm } from "../streams/requestedForm.js";

export function runRoutes(parts: ServerParts): readonly Route[] {
  const { store } = parts;

  async function seen(viewer: Viewer, runId: string): Promise<RunFacts> {
    const run = await store.findRun(viewer, runId);
    if (!run) throw notFound(`run ${runId}`);
    return run;
  }

  /** A run that the caller may steer: their own, or one of a conversation that they may change. */
  async function steered(viewer: Viewer, runId: string): Promise<RunFacts> {
    const run = await seen(viewer, runId);
    await assertMaySteer(parts, viewer, run);
    return run;
  }

  async function assertOpenCall(runId: string, callId: CallId): Promise<void> {
    const { view } = await viewedRun(store, runId);
    const call = callOf(view.state, callId);
    if (!call) throw notFound(`call ${callId} in run ${runId}`);
    if (call.status !== "closed") return;
    const detail = `Call ${callId} has ended already: nothing is left to stop.`;
    throw new HttpProblem(409, "call-closed", detail);
  }

  /** Arguments and reasons without secrets, for a caller who neither requested the run nor owns the conversation. */
  async function shownTo(
    caller: Caller,
    run: RunFacts,
    pending: ReturnType<typeof pendingOf>,
  ): Promise<object> {
    if (await seesSecrets(parts, caller, run)) return pending;
    const plain: unknown = JSON.parse(JSON.stringify(pending));
    const redacted = isJson(plain) ? parts.redactor.redactJson(plain) : {};
    return typeof redacted === "object" && redacted !== null ? redacted : {};
  }

  return [
    callerRoute({
      method: "GET",
      path: "/api/agent/runs/{id}",
      operation: "getRun",
      isForVisitors: true,
      summary: "A run, and its open questions.",
      params: idParams,
      answers: { 200: { description: "The run.", schema: runStatusSchema } },
      async handle({ params }, caller) {
        const run = await seen(caller, params.id);
        const outline = await store.outline(run.runId);
        if (!outline) throw notFound(`run ${params.id}`);
        const viewer = createRunViewer();
        for (const event of outline.events) viewer.push(event);
        const outcome = runOutcomes.find((one) => one === outline.outcome);
        const pending = pendingOf(viewer.view, inputSchemasOf(parts, caller, outline.events));
        return json(200, {
          id: run.runId,
          conversation_id: run.conversationId,
          status: outline.status,
          is_parked: run.isParked,
          ...withoutUndefined({ outcome }),
          last_seq: outline.lastSeq,
          ...(await shownTo(caller, run, pending)),
        });
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/agent/runs/{id}/events",
      operation: "streamRun",
      isForVisitors: true,
      summary: "A run's stream from any position, live or stored, in any format.",
      params: idParams,
      query: eventsQuery,
      answers: {
        200: { description: "The stream.", lines: runLines },
        204: { description: "The run has ended and Last-Event-ID is its last event." },
      },
      async handle({ params, query, context }, caller) {
        const { headers } = context.request;
        const form = requestedForm(headers, query);
        const after = query.after === undefined ? undefined : parseCursor(query.after);
        const cursor = lastEventId(headers) ?? after;
        const run = await seen(caller, params.id);
        // An EventSource reconnects after every end; 204 makes it stop.
        if (run.status === "closed" && (lastEventId(headers)?.seq ?? -1) >= run.lastSeq) {
          return new Response(null, { status: 204 });
        }
        await openRunStream(parts, context, { run, form, caller, cursor, follow: query.follow });
        return alreadySent;
      },
    }),
    callerRoute({
      method: "GET",
      path: "/api/agent/runs/{id}/prompt",
      operation: "getPrompt",
      summary:
        "What the model received before an answer of a run; for the owner of the conversation.",
      params: idParams,
      query: promptQuery,
      answers: { 200: { description: "The prompt.", schema: sentPromptSchema } },
      async handle({ params, query }, caller) {
        const run = await seen(caller, params.id);
        if (!(await isOwner(parts, caller, run.conversationId))) throw notTheirs(run.runId);
        return json(200, await sentPrompt(parts, caller, run, query.turn));
      },
    }),
    callerRoute({
      method: "POST",
      path: "/api/agent/runs/{id}/cancel",
      operation: "cancelRun",
      summary: "Stops a run, or one of its calls.",
      params: idParams,
      body: cancelSchema,
      answers: { 202: { description: "It is being stopped.", schema: receiptSchema } },
      async handle({ params, body }, caller) {
        const run = await steered(caller, params.id);
        if (run.status === "closed") throw runClosedProblem(run.runId);
        const { call_id: callId, reason = "cancelled by the user" } = body;
        if (callId !== undefined) await assertOpenCall(run.runId, callId);
        await stopRun(parts, run, { callId, reason });
        return json(202, { status: "cancelling" });
      },
    }),
    callerRoute({
      method: "POST",
      path: "/api/agent/runs/{id}/approvals/{approval_id}",
      operation: "answerApproval",
      summary: "Answers an approval that a run waits for.",
      params: approvalParams,
      body: approvalSchema,
      answers: { 200: { description: "It was answered.", schema: receiptSchema } },
      async handle({ params, body }, caller) {
        const run = await steered(caller, params.id);
        await answerApproval(parts, run, params.approval_id, body, caller.userId);
        return json(200, { status: "answered" });
      },
    }),
    callerRoute({
      method: "POST",
      path: "/api/agent/runs/{id}/calls/{call_id}/result",
      operation: "resolveCall",
      summary:
        "The result of a call that a client executes. The same result twice is the same as once.",
      params: callParams,
      body: callResultSchema,
      answers: { 200: { description: "It was taken.", schema: receiptSchema } },
      async handle({ params, body }, caller) {
        const run = await steered(caller, params.id);
        await resolveCall(parts, run, params.call_id, body);
        return json(200, { status: "taken" });
      },
    }),
  ];
}

function runClosedProblem(runId: string): HttpProblem {
  return new HttpProblem(
    409,
    "run-closed",
    `Run ${runId} has ended already: nothing is left to stop.`,
  );
}

function notTheirs(runId: string): HttpProblem {
  const detail = `The prompt of run ${runId} is for the owner of its conversation.`;
  return new HttpProblem(403, "not-owner", detail);
}
