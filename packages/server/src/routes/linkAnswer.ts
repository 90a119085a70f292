/**
 * An answer that came by a link, given to the run. The log takes one answer to a question, so of two requests by one link
 * at once one counts; the link is used with the answer that counted. It is held meanwhile, so that no
 * answer is accepted after a revocation was confirmed.
 */
import { callId as callIdOf } from "@callboard/run-log";
import type { CallResultBody } from "@callboard/run-log/http";
import { HttpProblem, notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import { answerApproval } from "../runs/answerApproval.js";
import type { AskedApproval, AskedQuestion } from "../runs/askedQuestions.js";
import { resolveCall } from "../runs/resolveCall.js";
import type { RunFacts } from "../stores/runStore.js";
import { answerIn } from "./answerFields.js";
import { type ApprovalAnswer, approvalAnswers, messagePage, questionPage } from "./answerPage.js";

export const linkAnswers = ["allow", "deny", "answer", "decline"] as const;
type LinkAnswer = (typeof linkAnswers)[number];

export interface LinkedQuestion {
  readonly linkId: string;
  readonly run: RunFacts;
  readonly question: AskedQuestion;
}

interface SentAnswer {
  /** Of the link. */
  readonly key: string;
  readonly answer: LinkAnswer;
  readonly sent: URLSearchParams;
}

export async function answeredPage(
  parts: ServerParts,
  linked: LinkedQuestion,
  given: SentAnswer,
): Promise<Response> {
  const { answerLinks } = parts;
  const { linkId } = linked;
  // The link was read before: it may have been used or revoked since then.
  const hold = await answerLinks.hold(linkId);
  if (!hold) return usedPage();
  try {
    const page = await answeredByLink(parts, linked, given);
    await answerLinks.markUsed(linkId);
    return page;
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // After any other failure the answer may still be stored.
    if (error.status < 500) await answerLinks.release(linkId, hold);
    if (error.status === 409 || error.status === 410) return closedPage();
    if (error.status !== 422) throw error;
    const { redactText } = parts.redactor;
    return questionPage(linked.question, { key: given.key, redactText, problem: error.message });
  }
}

async function answeredByLink(
  parts: ServerParts,
  { linkId, run, question }: LinkedQuestion,
  { answer, sent }: SentAnswer,
): Promise<Response> {
  if (answer === "allow" || answer === "deny") {
    if (question.type !== "approval") throw notFound(`answer ${answer} to this question`);
    await decide(parts, { linkId, run, question, answer });
    return answer === "allow"
      ? messagePage(200, "Allowed", "The call was allowed and runs now.")
      : messagePage(200, "Denied", "The call was denied. The agent got the denial.");
  }
  if (question.type === "approval") throw notFound(`answer ${answer} to this question`);
  await resolveCall(parts, run, callIdOf(question.callId), linkResultOf(question, answer, sent));
  if (answer === "answer")
    return messagePage(200, "Sent", "The agent got the answer and continues.");
  return question.type === "question"
    ? messagePage(200, "Declined", "The agent got the message that you do not answer.")
    : messagePage(200, "Sent", "The agent got the failure of the call.");
}

async function decide(
  parts: ServerParts,
  given: Omit<LinkedQuestion, "question"> & {
    readonly question: AskedApproval;
    readonly answer: ApprovalAnswer;
  },
): Promise<void> {
  const { linkId, run, question, answer } = given;
  const option = question.options.find(({ kind }) => kind === approvalAnswers[answer]);
  if (!option) throw notFound(`answer ${answer} to this question`);
  const reply = { option_id: option.optionId };
  await answerApproval(parts, run, question.approvalId, reply, `answer link ${linkId}`);
}

function linkResultOf(
  question: Exclude<AskedQuestion, AskedApproval>,
  answer: "answer" | "decline",
  sent: URLSearchParams,
): CallResultBody {
  const text = sent.get("text") ?? "";
  if (answer === "answer") {
    const output = question.type === "question" ? answerIn(question.question, sent) : text;
    return { output, is_error: false };
  }
  if (question.type === "question" || text.trim() === "") return { is_error: true };
  return { is_error: true, error_message: text.slice(0, 100_000) };
}

function usedPage(): Response {
  const words = "The link was used or revoked a moment ago. Nothing was changed.";
  return messagePage(410, "This link is over", words);
}

export function closedPage(): Response {
  const words = "It was already answered, it expired, or its run ended. Nothing was changed.";
  return messagePage(409, "This question is closed", words);
}
