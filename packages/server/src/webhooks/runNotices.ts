/**
 * The notices about a run, from its log: each question that waits for a person, and how the run ended. Secrets are
 * removed and long texts are cut. The same events give the same ids.
 */
import { createHash } from "node:crypto";
import type { RunOutcome } from "@callboard/run-log";
import type { UntoldRun } from "@callboard/store";
import {
  type AskedApproval,
  type AskedQuestion,
  askedQuestions,
  type QuestionParts,
} from "../runs/askedQuestions.js";
import type { RunStore } from "../stores/runStore.js";
import type { WebhookEvent } from "./webhook.js";

export interface RunNotice {
  /** The event of the log that it reports. */
  readonly seq: number;
  readonly event: WebhookEvent;
  readonly id: string;
  readonly data: object;
  /** Set if a person can answer. */
  readonly question?: AskedQuestion;
}

export interface NoticeParts extends QuestionParts {
  readonly store: Pick<RunStore, "outline" | "read">;
}

const mostCharacters = 4_000;

/** The notices that were not sent yet, in the order of the log. */
export async function runNotices(
  parts: NoticeParts,
  run: UntoldRun,
  agent: string,
): Promise<readonly RunNotice[]> {
  const { runId, toldSeq } = run;
  const about = {
    run_id: runId,
    conversation_id: run.conversationId,
    user_id: run.userId,
    agent,
  };
  if (run.status === "closed") return await ending(parts, run, about);
  const questions = await askedQuestions(parts, runId);
  return questions
    .filter(({ seq }) => seq > toldSeq)
    .toSorted((one, other) => one.seq - other.seq)
    .map((question) => ({
      seq: question.seq,
      event: "needs_you",
      id: noticeIdOf(runId, question.seq),
      data: { ...about, ...questionData(question) },
      question,
    }));
}

async function ending(
  { store, redactor }: NoticeParts,
  { runId, lastSeq, toldSeq }: UntoldRun,
  about: object,
): Promise<readonly RunNotice[]> {
  const [closed] = await store.read(runId, { after: lastSeq - 1, limit: 1 });
  if (closed?.type !== "run.closed" || closed.seq <= toldSeq) return [];
  const { seq, outcome, reason } = closed;
  const event = eventOf(outcome);
  if (event === undefined) return [];
  const why =
    reason === undefined ? {} : { reason: redactor.redactText(reason).slice(0, mostCharacters) };
  return [{ seq, event, id: noticeIdOf(runId, seq), data: { ...about, outcome, ...why } }];
}

/** Whoever cancelled a run knows of it. */
function eventOf(outcome: RunOutcome): WebhookEvent | undefined {
  if (outcome === "cancelled") return undefined;
  return outcome === "ok" ? "done" : "failed";
}

function questionData(question: AskedQuestion): object {
  const { type, callId, toolName, title, expiresAt } = question;
  const text = JSON.stringify(question.arguments);
  const isCut = text.length > mostCharacters;
  return {
    kind: type,
    call_id: callId,
    tool_name: toolName,
    ...(title === undefined ? {} : { title: title.slice(0, mostCharacters) }),
    ...(type === "approval" ? approvalData(question) : {}),
    ...(isCut
      ? { arguments_preview: text.slice(0, mostCharacters), arguments_length: text.length }
      : { arguments: question.arguments }),
    ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
  };
}

function approvalData({ approvalId, reason, options }: AskedApproval): object {
  return {
    approval_id: approvalId,
    ...(reason === undefined ? {} : { reason: reason.slice(0, mostCharacters) }),
    options: options.map(({ optionId, name, kind }) => ({ option_id: optionId, name, kind })),
  };
}

function noticeIdOf(runId: string, seq: number): string {
  const hash = createHash("sha256").update(JSON.stringify([runId, seq]));
  return `msg_${hash.digest("hex").slice(0, 32)}`;
}
