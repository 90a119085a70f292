/**
 * The questions of a run as they are shown outside of the board: on the page of an answer link and in a webhook. Secrets
 * are taken out. It answers nothing.
 */

import type { Redactor } from "@callboard/agent-sdk";
import {
  type CallState,
  type JsonValue,
  openCallsOf,
  type RunEvent,
  runInputOf,
} from "@callboard/run-log";
import {
  askedPerson,
  askToolName,
  personQuestionIn,
  type UserQuestion,
} from "@callboard/run-log/asking";
import { withoutUndefined } from "@callboard/run-log/values";
import type { RunStore } from "../stores/runStore.js";
import { createRunViewer, type LoggedRun } from "./runView.js";

/** The questions of a run: whether a call may run, a question to a person, or the result of a client's tool. */
export type AskedQuestion = AskedApproval | AskedPerson | AskedClient;

interface Asked {
  /** The event with the question. */
  readonly seq: number;
  readonly callId: string;
  readonly toolName: string;
  readonly title?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  readonly arguments: JsonValue;
}

export interface AskedApproval extends Asked {
  readonly type: "approval";
  readonly approvalId: string;
  readonly reason?: string;
  readonly options: readonly QuestionOption[];
}

export interface AskedPerson extends Asked {
  readonly type: "question";
  /** In the model's original form, to match an answer: it may contain secrets. */
  readonly question: UserQuestion;
}

export interface AskedClient extends Asked {
  readonly type: "client_call";
}

interface QuestionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

export interface QuestionParts {
  readonly store: Pick<RunStore, "outline">;
  readonly redactor: Redactor;
}

/** The open questions of the run. */
export async function askedQuestions(
  { store, redactor }: QuestionParts,
  runId: string,
): Promise<readonly AskedQuestion[]> {
  const events = (await store.outline(runId))?.events ?? [];
  const viewer = createRunViewer();
  for (const event of events) viewer.push(event);
  const { view } = viewer;
  return openCallsOf(view.state).flatMap((call) => {
    const title = callTitleOf(events, call.callId);
    const about = {
      callId: call.callId,
      toolName: call.toolName,
      ...(title === undefined ? {} : { title: redactor.redactText(title) }),
    };
    const asked = approvalOf(view, call, redactor) ?? delegationOf(events, call, redactor);
    return asked === undefined ? [] : [{ ...about, ...asked }];
  });
}

type Rest<Question extends Asked> = Omit<Question, "callId" | "toolName" | "title">;

function approvalOf(
  { approvals }: LoggedRun,
  call: CallState,
  redactor: Redactor,
): Rest<AskedApproval> | undefined {
  if (call.status !== "awaitingApproval") return undefined;
  const asked = approvals.get(call.approvalId)?.asked;
  if (!asked) return undefined;
  const { seq, approvalId, options, reason, expiresAt } = asked;
  return {
    type: "approval",
    seq,
    approvalId,
    ...(reason === undefined ? {} : { reason: redactor.redactText(reason) }),
    ...withoutUndefined({ expiresAt }),
    arguments: redactor.redactJson(call.input.parsed ? call.input.value : {}),
    options,
  };
}

function delegationOf(
  events: readonly RunEvent[],
  call: CallState,
  redactor: Redactor,
): Rest<AskedPerson> | Rest<AskedClient> | undefined {
  if (call.status !== "running" || call.execution.delegation === undefined) return undefined;
  const started = events.findLast(
    (event) => event.type === "call.run.started" && event.callId === call.callId,
  );
  if (started?.type !== "call.run.started") return undefined;
  const { seq, expiresAt } = started;
  const input = runInputOf(call);
  const rest = {
    seq,
    ...withoutUndefined({ expiresAt }),
    arguments: redactor.redactJson(input ?? {}),
  };
  const isForPerson = call.execution.delegation.to === askedPerson && call.toolName === askToolName;
  if (!isForPerson) return { type: "client_call", ...rest };
  return { type: "question", ...rest, question: personQuestionIn(input) };
}

/** The last progress of its tool. */
function callTitleOf(events: readonly RunEvent[], callId: string): string | undefined {
  const titles = events.flatMap((event) => {
    if (event.type !== "call.opened" && event.type !== "call.input.closed") return [];
    const title = "title" in event ? event.title : undefined;
    return event.callId === callId && title !== undefined ? [title] : [];
  });
  return titles.at(-1);
}
