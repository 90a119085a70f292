/**
 * The result of a call that a client executes. The log decides: the first result is accepted, the same one again gets
 * the same answer, a different one is a conflict, a late one is gone.
 */
import {
  type CallId,
  type CallState,
  callOf,
  type EventOf,
  isJson,
  type JsonValue,
  runInputOf,
} from "@callboard/run-log";
import {
  answerProblem,
  askedPerson,
  askToolName,
  type UserQuestion,
  userQuestionIn,
} from "@callboard/run-log/asking";
import type { CallResultBody } from "@callboard/run-log/http";
import { HttpProblem, notFound } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { unreachable } from "./answerApproval.js";
import { declinedAnswer, digestOf } from "./clientTools.js";
import type { LoggedRun } from "./runView.js";
import { sendUntilAnswered, viewedRun } from "./runWatch.js";

export async function resolveCall(
  { store, commands, clock }: Pick<ServerParts, "store" | "commands" | "clock">,
  { runId }: RunFacts,
  callId: CallId,
  result: CallResultBody,
): Promise<void> {
  const viewer = await viewedRun(store, runId);
  const delegation = viewer.view.delegations.get(callId);
  if (!delegation) throw notFound(`call ${callId} in run ${runId} that a client executes`);
  assertAnswers(callOf(viewer.view.state, callId), result);
  const command = { type: "resolveCall", runId, callId, result } as const;
  const find = (view: LoggedRun): EventOf<"call.closed"> | undefined =>
    view.delegations.get(callId)?.closed;
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

/** An answer to a question of the model fits the question, or the question stays open. */
function assertAnswers(
  call: CallState | undefined,
  { is_error, output = "" }: CallResultBody,
): void {
  if (call?.status !== "running" || call.toolName !== askToolName || is_error) return;
  if (call.execution.delegation?.to !== askedPerson) return;
  const question = userQuestionIn(runInputOf(call));
  const problem = question && answerProblem(question, answerIn(question, output));
  if (problem === undefined) return;
  const errors = [{ field: "output", message: problem }];
  throw new HttpProblem(422, "invalid-answer", problem, { errors });
}

/** Stock clients give results as text: a form, or several choices, is then JSON. */
function answerIn({ form, multiple }: UserQuestion, output: JsonValue): JsonValue {
  if (typeof output !== "string" || !(form || multiple)) return output;
  try {
    const read: unknown = JSON.parse(output);
    return isJson(read) ? read : output;
  } catch {
    return output;
  }
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
