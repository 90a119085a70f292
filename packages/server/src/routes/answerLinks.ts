/**
 * Links by which their holder answers one question, once: created, listed and revoked by users who may answer it, and
 * the page that a link opens. Opening the page answers nothing; its buttons do.
 */
import {
  answerFormSchema,
  answerLinkParams,
  answerLinksSchema,
  approvalParams,
  callAnswerLinkParams,
  callParams,
  createAnswerLinkSchema,
  madeAnswerLinkSchema,
} from "@callboard/run-log/http";
import type { OpenedAnswerLink, Question } from "@callboard/store";
import { z } from "zod";
import type { Caller } from "../auth/caller.js";
import { HttpProblem, notFound } from "../http/problem.js";
import { readFormBody } from "../http/requestBody.js";
import { callerRoute, json, publicRoute, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";
import { type AskedQuestion, askedQuestions } from "../runs/askedQuestions.js";
import { assertMaySteer } from "../runs/steering.js";
import type { RunFacts, Viewer } from "../stores/runStore.js";
import { messagePage, questionPage } from "./answerPage.js";
import { answeredPage, closedPage, type LinkedQuestion, linkAnswers } from "./linkAnswer.js";

/** Of a form that a page sends. */
const mostFormBytes = 262_144;

export function answerLinkRoutes(parts: ServerParts): readonly Route[] {
  const { store, answerLinks, clock } = parts;
  const html = { description: "A page.", mediaTypes: ["text/html"] };

  async function steered(viewer: Viewer, runId: string): Promise<RunFacts> {
    const run = await store.findRun(viewer, runId);
    if (!run) throw notFound(`run ${runId}`);
    await assertMaySteer(parts, viewer, run);
    return run;
  }

  async function asked(question: Question): Promise<AskedQuestion | undefined> {
    const questions = await askedQuestions(parts, question.runId);
    return questions.find((one) =>
      "approvalId" in question
        ? one.type === "approval" && one.approvalId === question.approvalId
        : one.type !== "approval" && one.callId === question.callId,
    );
  }

  /** The target of a link now, or the page with the reason why it has none. */
  async function opened(key: string): Promise<LinkedQuestion | Response> {
    const link = await answerLinks.open(key, clock.now());
    if (link.status !== "open") return overPage(link.status);
    const { linkId, question, userId } = link;
    // Whoever made it may have lost the right to answer since.
    const run = await steered({ userId }, question.runId).catch((error: unknown) => {
      if (error instanceof HttpProblem) return undefined;
      throw error;
    });
    if (!run) return overPage("revoked");
    const found = await asked(question);
    return found ? { linkId, run, question: found } : closedPage();
  }

  async function list(caller: Caller, question: Question): Promise<Response> {
    await steered(caller, question.runId);
    return json(200, { items: await answerLinks.list(caller, question) });
  }

  async function create(caller: Caller, question: Question, seconds: number): Promise<Response> {
    await steered(caller, question.runId);
    if (!(await asked(question))) throw nothingToAnswer(question);
    const expiresAt = new Date(clock.now() + seconds * 1_000);
    const link = await answerLinks.create(caller, question, expiresAt);
    const expires = expiresAt.toISOString();
    return json(201, { id: link.id, path: answerPath(link.key), expires_at: expires });
  }

  async function revoke(caller: Caller, runId: string, linkId: string): Promise<Response> {
    await steered(caller, runId);
    const outcome = await answerLinks.revoke(caller, runId, linkId);
    if (outcome === "over") throw notFound(`link ${linkId} to answer by that is still valid`);
    if (outcome === "held") {
      const detail = `Link ${linkId} is being used to answer. Read the run, or try again.`;
      throw new HttpProblem(409, "link-in-use", detail, { headers: { "retry-after": "5" } });
    }
    return new Response(null, { status: 204 });
  }

  const approvalLinks = "/api/agent/runs/{id}/approvals/{approval_id}/links";
  const callLinks = "/api/agent/runs/{id}/calls/{call_id}/links";
  const listed = { 200: { description: "The links.", schema: answerLinksSchema } };
  const made = { 201: { description: "The link. Returned once.", schema: madeAnswerLinkSchema } };
  const revoked = { 204: { description: "It no longer answers anything." } };
  return [
    callerRoute({
      method: "GET",
      path: approvalLinks,
      operation: "listAnswerLinks",
      summary: "The links that answer an approval, without their secrets.",
      params: approvalParams,
      answers: listed,
      handle: ({ params: { id, approval_id: approvalId } }, caller) =>
        list(caller, { runId: id, approvalId }),
    }),
    callerRoute({
      method: "POST",
      path: approvalLinks,
      operation: "createAnswerLink",
      summary:
        "Creates a link whose holder can answer an approval, once; for users who may answer it.",
      params: approvalParams,
      body: createAnswerLinkSchema,
      answers: made,
      handle: ({ params: { id, approval_id: approvalId }, body }, caller) =>
        create(caller, { runId: id, approvalId }, body.expires_in_s),
    }),
    callerRoute({
      method: "DELETE",
      path: `${approvalLinks}/{link_id}`,
      operation: "revokeAnswerLink",
      summary: "Revokes a link: it no longer answers anything.",
      params: answerLinkParams,
      answers: revoked,
      handle: ({ params: { id, link_id: linkId } }, caller) => revoke(caller, id, linkId),
    }),
    callerRoute({
      method: "GET",
      path: callLinks,
      operation: "listCallAnswerLinks",
      summary:
        "The links that answer a question of the model, or give the result of a client's call, without their secrets.",
      params: callParams,
      answers: listed,
      handle: ({ params: { id, call_id: callId } }, caller) => list(caller, { runId: id, callId }),
    }),
    callerRoute({
      method: "POST",
      path: callLinks,
      operation: "createCallAnswerLink",
      summary:
        "Creates a link whose holder can answer a question of the model, or send the result of a client's call, once; for users who may do so.",
      params: callParams,
      body: createAnswerLinkSchema,
      answers: made,
      handle: ({ params: { id, call_id: callId }, body }, caller) =>
        create(caller, { runId: id, callId }, body.expires_in_s),
    }),
    callerRoute({
      method: "DELETE",
      path: `${callLinks}/{link_id}`,
      operation: "revokeCallAnswerLink",
      summary: "Revokes a link: it no longer answers anything.",
      params: callAnswerLinkParams,
      answers: revoked,
      handle: ({ params: { id, link_id: linkId } }, caller) => revoke(caller, id, linkId),
    }),
    publicRoute({
      method: "GET",
      path: "/a/{key}",
      operation: "openAnswerLink",
      summary: "The page of an answer link: what is asked, and how to answer. It answers nothing.",
      params: keyParams,
      answers: { 200: html, 404: html, 409: html, 410: html },
      async handle({ params: { key } }) {
        const found = await opened(key);
        if (found instanceof Response) return found;
        return questionPage(found.question, { key, redactText: parts.redactor.redactText });
      },
    }),
    publicRoute({
      method: "POST",
      path: "/a/{key}/{answer}",
      operation: "answerByLink",
      summary:
        "Answers the question of a link, once: allow or deny for an approval; answer, with the fields of the page's form, or decline for a call.",
      params: z.object({ ...keyParams.shape, answer: z.enum(linkAnswers) }),
      form: {
        description:
          "The fields that the page shows for the question; nothing for allow and deny. `text` is the answer in words, the result of a client's call or why it failed. `choice` is the place of a choice, from 0, once for each that is chosen. The fields of a form are `field0`, `field1` and so on, by their place; of a field that offers words the place of the word.",
        schema: answerFormSchema,
      },
      answers: { 200: html, 404: html, 409: html, 410: html, 422: html },
      async handle({ params: { key, answer }, context }) {
        const sent = await readFormBody(context.request, mostFormBytes);
        const found = await opened(key);
        return found instanceof Response
          ? found
          : await answeredPage(parts, found, { key, answer, sent });
      },
    }),
  ];
}

const keyParams = z.object({ key: z.string().max(200) });

export const answerPath = (key: string): string => `/a/${key}`;

function overPage(status: Exclude<OpenedAnswerLink["status"], "open">): Response {
  if (status === "unknown") {
    return messagePage(404, "Unknown link", "This link does not exist: check that it is complete.");
  }
  const what = { used: "was used already", expired: "has expired", revoked: "was revoked" };
  return messagePage(410, "This link is over", `The link ${what[status]}. Nothing was changed.`);
}

function nothingToAnswer(question: Question): HttpProblem {
  const what =
    "approvalId" in question ? `Approval ${question.approvalId}` : `Call ${question.callId}`;
  const detail = `${what} is not waiting for an answer: there is nothing to make a link for.`;
  return new HttpProblem(409, "already-answered", detail);
}
