/**
 * Links by which whoever holds one answers one question, once: made, listed and revoked by those who may answer it, and
 * the page that a link opens. Looking at the page answers nothing; its buttons do.
 */
import {
  answerLinkParams,
  answerLinksSchema,
  approvalParams,
  createAnswerLinkSchema,
  madeAnswerLinkSchema,
} from "@callboard/run-log/http";
import type { OpenedAnswerLink } from "@callboard/store";
import { z } from "zod";
import { HttpProblem, notFound } from "../http/problem.js";
import { callerRoute, json, publicRoute, type Route } from "../http/route.js";
import type { ServerParts } from "../parts.js";
import { answerApproval } from "../runs/answerApproval.js";
import { type AskedQuestion, askedQuestions } from "../runs/askedQuestions.js";
import { assertMaySteer } from "../runs/steering.js";
import type { RunFacts, Viewer } from "../stores/runStore.js";
import { type LinkAnswer, linkAnswers, messagePage, questionPage } from "./answerPage.js";

export function answerLinkRoutes(parts: ServerParts): readonly Route[] {
  const { store, answerLinks, clock } = parts;
  const path = "/api/agent/runs/{id}/approvals/{approval_id}/links";
  const html = { description: "A page.", mediaTypes: ["text/html"] };

  async function steered(viewer: Viewer, runId: string): Promise<RunFacts> {
    const run = await store.findRun(viewer, runId);
    if (!run) throw notFound(`run ${runId}`);
    await assertMaySteer(parts, viewer, run);
    return run;
  }

  async function asked(runId: string, approvalId: string): Promise<AskedQuestion | undefined> {
    const questions = await askedQuestions(parts, runId);
    return questions.find((question) => question.approvalId === approvalId);
  }

  /** What a link leads to now, or the page that says why it leads nowhere. */
  async function opened(key: string): Promise<Opened | Response> {
    const link = await answerLinks.open(key, clock.now());
    if (link.status !== "open") return overPage(link.status);
    const { linkId, runId, approvalId, userId } = link;
    // Whoever made it may have lost the right to answer since.
    const run = await steered({ userId }, runId).catch((error: unknown) => {
      if (error instanceof HttpProblem) return undefined;
      throw error;
    });
    if (!run) return overPage("revoked");
    const question = await asked(runId, approvalId);
    return question ? { linkId, run, question } : closedPage();
  }

  return [
    callerRoute({
      method: "GET",
      path,
      operation: "listAnswerLinks",
      summary: "The links that answer an approval, without their secrets.",
      params: approvalParams,
      answers: { 200: { description: "The links.", schema: answerLinksSchema } },
      async handle({ params: { id, approval_id: approvalId } }, caller) {
        await steered(caller, id);
        return json(200, { items: await answerLinks.list(caller, { runId: id, approvalId }) });
      },
    }),
    callerRoute({
      method: "POST",
      path,
      operation: "createAnswerLink",
      summary:
        "Makes a link by which whoever holds it answers an approval, once; for those who may answer it.",
      params: approvalParams,
      body: createAnswerLinkSchema,
      answers: { 201: { description: "The link. Told once.", schema: madeAnswerLinkSchema } },
      async handle({ params: { id, approval_id: approvalId }, body }, caller) {
        await steered(caller, id);
        if (!(await asked(id, approvalId))) throw nothingToAnswer(approvalId);
        const expiresAt = new Date(clock.now() + body.expires_in_s * 1_000);
        const link = await answerLinks.create(caller, { runId: id, approvalId }, expiresAt);
        const expires = expiresAt.toISOString();
        return json(201, { id: link.id, path: answerPath(link.key), expires_at: expires });
      },
    }),
    callerRoute({
      method: "DELETE",
      path: `${path}/{link_id}`,
      operation: "revokeAnswerLink",
      summary: "Revokes a link: it answers nothing any more.",
      params: answerLinkParams,
      answers: { 204: { description: "It answers nothing any more." } },
      async handle({ params: { id, link_id: linkId } }, caller) {
        await steered(caller, id);
        if (!(await answerLinks.revoke(caller, id, linkId))) {
          throw notFound(`link ${linkId} to answer by that still holds`);
        }
        return new Response(null, { status: 204 });
      },
    }),
    publicRoute({
      method: "GET",
      path: "/a/{key}",
      operation: "openAnswerLink",
      summary: "The page of an answer link: what is asked, and two buttons. It answers nothing.",
      params: keyParams,
      answers: { 200: html, 404: html, 409: html, 410: html },
      async handle({ params: { key } }) {
        const found = await opened(key);
        return found instanceof Response ? found : questionPage(found.question, key);
      },
    }),
    publicRoute({
      method: "POST",
      path: "/a/{key}/{answer}",
      operation: "answerByLink",
      summary: "Answers the question of a link, once.",
      params: z.object({ ...keyParams.shape, answer: z.enum(["allow", "deny"]) }),
      answers: { 200: html, 404: html, 409: html, 410: html },
      async handle({ params: { key, answer } }) {
        const found = await opened(key);
        return found instanceof Response ? found : await answered(parts, found, answer);
      },
    }),
  ];
}

const keyParams = z.object({ key: z.string().max(200) });

export const answerPath = (key: string): string => `/a/${key}`;

interface Opened {
  readonly linkId: string;
  readonly run: RunFacts;
  readonly question: AskedQuestion;
}

/** The log takes one answer to a question, so two requests by one link at once cannot both count. */
async function answered(
  parts: ServerParts,
  { linkId, run, question }: Opened,
  answer: LinkAnswer,
): Promise<Response> {
  const option = question.options.find(({ kind }) => kind === linkAnswers[answer]);
  if (!option) return closedPage();
  const reply = { option_id: option.optionId };
  try {
    await answerApproval(parts, run, question.approvalId, reply, `link ${linkId}`);
  } catch (error) {
    if (error instanceof HttpProblem && error.status === 409) return closedPage();
    throw error;
  }
  await parts.answerLinks.markUsed(linkId);
  return answer === "allow"
    ? messagePage(200, "Allowed", "The call was allowed and runs now.")
    : messagePage(200, "Denied", "The call was denied. The agent was told so.");
}

function closedPage(): Response {
  const words = "Somebody answered it, it expired, or its run ended. Nothing was changed.";
  return messagePage(409, "This question is closed", words);
}

function overPage(status: Exclude<OpenedAnswerLink["status"], "open">): Response {
  if (status === "unknown") {
    return messagePage(404, "Unknown link", "There is no such link: check that it is whole.");
  }
  const what = { used: "was used already", expired: "has expired", revoked: "was revoked" };
  return messagePage(410, "This link is over", `The link ${what[status]}. Nothing was changed.`);
}

function nothingToAnswer(approvalId: string): HttpProblem {
  const detail = `Approval ${approvalId} is not waiting for an answer: there is nothing to make a link for.`;
  return new HttpProblem(409, "already-answered", detail);
}
