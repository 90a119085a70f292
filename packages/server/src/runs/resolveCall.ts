/**
 * The result of a call that a client executes. The log decides: the first result is accepted, the same one again gets
 * the same answer, a different one is a conflict, a late one is gone.
 */
import { type CallId, type CallState, callOf, type EventOf, runInputOf } from "@callboard/run-log";
import {
  answerProblem,
  askedPerson,
  askToolName,
  type UserQuestion,
  userQuestionIn,
} from "@callboard/run-log/asking";
import type { CallResultBody } from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { parsedInput } from "@callboard/run-log/writing";
import { HttpProblem, notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { shownMs, unreachable } from "./answerApproval.js";
import { declinedAnswer, digestOf } from "./clientTools.js";
import { askedElsewhere } from "./otherPrograms.js";
import type { LoggedRun } from "./runView.js";
import { awaited, sendUntilAnswered, viewedRun } from "./runWatch.js";

export async function resolveCall(
  { store, commands, clock, others }: Pick<ServerParts, "store" | "commands" | "clock" | "others">,
  { runId, conversationId }: RunFacts,
  callId: CallId,
  given: CallResultBody,
): Promise<void> {
  const viewer = await viewedRun(store, runId);
  const delegation = viewer.view.delegations.get(callId);
  if (!delegation) throw notFound(`call ${callId} in run ${runId} that a client executes`);
  const call = callOf(viewer.view.state, callId);
  const question = delegation.to === askedPerson && call ? modelQuestionOf(call) : undefined;
  const result = question === undefined ? given : resultFor(question, given);
  if (question !== undefined && call?.status === "running") assertAnswers(question, result);
  const find = (view: LoggedRun): EventOf<"call.closed"> | undefined =>
    view.delegations.get(callId)?.closed;
  if (question !== undefined && call?.status === "running") {
    const request = { type: "answerQuestion", callId, reply: replyOf(result) } as const;
    const elsewhere = await askedElsewhere(others, { conversationId }, request);
    if (elsewhere?.status === "refused") throw another(callId);
    if (elsewhere !== undefined) {
      await awaited(store, runId, viewer, find, { clock, answerTimeoutMs: shownMs });
      return;
    }
  }
  const command = { type: "resolveCall", runId, callId, result } as const;
  const closed = await sendUntilAnswered(() => commands.send(command), {
    store,
    clock,
    runId,
    viewer,
    find,
  });
  if (!closed) throw unreachable(runId);
  if (isSame(closed, result)) return;
  if (closed.outcome === "ok" || closed.outcome === "error") throw another(callId);
  const detail = `Call ${callId} is over (${closed.outcome}): its result comes too late.`;
  throw new HttpProblem(410, "call-over", detail);
}

/** An error is a person who does not answer. */
function replyOf({ is_error, output = "", error_message: reason }: CallResultBody) {
  if (!is_error) return { status: "answered", answer: output } as const;
  return { status: "declined", ...withoutUndefined({ reason }) } as const;
}

/** The question of a call of `ask_user`, also after its end. */
function modelQuestionOf(call: CallState): UserQuestion | undefined {
  return call.toolName === askToolName ? userQuestionIn(runInputOf(call)) : undefined;
}

/** An answer fits its question, or the question stays open. */
function assertAnswers(question: UserQuestion, { is_error, output = "" }: CallResultBody): void {
  const problem = is_error ? undefined : answerProblem(question, output);
  if (problem === undefined) return;
  const errors = [{ field: "output", message: problem }];
  throw new HttpProblem(422, "invalid-answer", problem, { errors });
}

/** Stock clients give results as text: a form, or several choices, is then JSON, and is passed on as such. */
function resultFor({ form, multiple }: UserQuestion, result: CallResultBody): CallResultBody {
  const { output } = result;
  if (result.is_error || typeof output !== "string" || !(form || multiple)) return result;
  const read = parsedInput(output);
  return read.parsed ? { ...result, output: read.input } : result;
}

function isSame(closed: EventOf<"call.closed">, result: CallResultBody): boolean {
  if (closed.outcome === "ok") {
    return !result.is_error && closed.metadata?.result_digest === digestOf(result);
  }
  if (closed.outcome !== "error" || !result.is_error) return false;
  const { output = "", error_message } = result;
  const said = typeof output === "string" ? output : JSON.stringify(output);
  const usual = closed.errorType === "declined" ? declinedAnswer : "The client reported an error.";
  return closed.message === (error_message ?? (said || usual));
}

function another(callId: string): HttpProblem {
  const detail = `Call ${callId} has another result already: it is not taken twice.`;
  return new HttpProblem(409, "already-resolved", detail);
}
