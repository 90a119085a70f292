/**
 * The persons and clients that a run waits for, and which calls survive their process. A question is a state of the log:
 * a requested approval, or a call that a client executes.
 */
import { withoutUndefined } from "../values/optional.js";
import { personName } from "../values/personName.js";
import type { CallState } from "./callState.js";
import type { ApprovalId, CallId } from "./ids.js";
import { openCallsOf, type RunState } from "./state.js";

/** A question that is not answered yet: an approval, or a result that a client has to send. */
export type PendingQuestion =
  | {
      readonly type: "approval";
      readonly callId: CallId;
      readonly approvalId: ApprovalId;
      readonly expiresAt?: number;
    }
  /** A client executes the call and is to give its result. */
  | { readonly type: "result"; readonly callId: CallId; readonly expiresAt?: number };

/** The question of a call, if it waits for a person or a client. */
export function questionOf(call: CallState): PendingQuestion | undefined {
  const { callId } = call;
  if (call.status === "awaitingApproval") {
    const { approvalId, expiresAt } = call;
    return { type: "approval", callId, approvalId, ...until(expiresAt) };
  }
  if (call.status !== "running" || call.execution.delegation === undefined) return undefined;
  return { type: "result", callId, ...until(call.execution.delegation.expiresAt) };
}

function until(expiresAt: number | undefined): { readonly expiresAt?: number } {
  return withoutUndefined({ expiresAt });
}

/** The open calls that wait for a person or a client. */
export function askingCallsOf(state: RunState): readonly CallState[] {
  return openCallsOf(state).filter((call) => questionOf(call) !== undefined);
}

/** All open questions, in the order of the calls. */
export function questionsOf(state: RunState): readonly PendingQuestion[] {
  return openCallsOf(state).flatMap((call) => questionOf(call) ?? []);
}

/** Whether a call of the run waits for an answer. */
export function hasQuestion(state: RunState): boolean {
  return openCallsOf(state).some((call) => questionOf(call) !== undefined);
}

/**
 * Whether nothing in the run continues before an answer: no message is being written, and every open call waits for an
 * answer, has not started, or only waits for calls that work for it.
 */
export function isWaiting(state: RunState): boolean {
  return waitsBeside(state, () => false);
}

/**
 * Whether the run waits for an answer and is not parked meanwhile, because its process is needed: a running tool asked and
 * waits for the answer itself, or calls run in the background.
 */
export function isHeld(state: RunState): boolean {
  if (state.status !== "open" || state.parkedAt !== undefined || !hasQuestion(state)) return false;
  const open = openCallsOf(state);
  const isBackground = (call: CallState): boolean =>
    isInBackground(call) || parentsOf(call, open).some(isInBackground);
  if (!waitsBeside(state, (call) => isBackground(call))) return false;
  return open.some((call) => isInBackground(call) || (questionOf(call) && isOfTool(call, open)));
}

/** Whether there is a question, and every other call waits too or is ignored. */
function waitsBeside(state: RunState, isLeftOut: (call: CallState) => boolean): boolean {
  if (state.status !== "open" || state.messages.open.size > 0) return false;
  const open = openCallsOf(state);
  const parents = new Set(open.map(({ parentCallId }) => parentCallId));
  return (
    open.some((call) => questionOf(call) !== undefined) &&
    open.every(
      (call) =>
        call.status === "ready" ||
        parents.has(call.callId) ||
        questionOf(call) !== undefined ||
        isLeftOut(call),
    )
  );
}

function isInBackground(call: CallState): boolean {
  return call.status === "running" && call.execution.isDetached === true;
}

/** The open calls that a call works for, the nearest first. */
function parentsOf(call: CallState, open: readonly CallState[]): readonly CallState[] {
  const parent = open.find(({ callId }) => callId === call.parentCallId);
  return parent === undefined ? [] : [parent, ...parentsOf(parent, open)];
}

/** Whether a running tool that is not an agent opened the call. */
function isOfTool(call: CallState, open: readonly CallState[]): boolean {
  return open.some(({ callId, toolType }) => callId === call.parentCallId && toolType !== "agent");
}

/** Whether the call was running and continues in another process, which first finds out what it did. */
function isTakenUp(call: CallState): boolean {
  return call.status === "running" && call.execution.onInterrupted !== undefined;
}

/**
 * The open calls that survive their process: those that wait for an answer, those that have not started, and those with
 * an interruption policy, with the calls that they work for. Empty if there is no open question and nothing left to run:
 * such a run has nothing to wait for. A call that a person made beside the model ends with its process, and so does a
 * question of a running tool: only that tool could use the answer. A nested agent continues with its calls.
 */
export function lastingCallsOf(state: RunState): ReadonlySet<CallId> {
  const all = openCallsOf(state);
  const open = all.filter((call) => call.openedBy !== "user" && !isOfTool(call, all));
  const isOwed = (call: CallState): boolean =>
    (call.status === "ready" && call.isAllowed === true) || isTakenUp(call);
  if (!open.some((call) => questionOf(call) !== undefined || isOwed(call))) return new Set();
  const lasting = new Set<CallId>();
  // A call is opened after the one that it works for.
  for (const call of open.toReversed()) {
    const { callId, status, parentCallId } = call;
    const isLasting =
      questionOf(call) !== undefined ||
      status === "ready" ||
      isTakenUp(call) ||
      lasting.has(callId);
    if (!isLasting) continue;
    lasting.add(callId);
    if (parentCallId !== undefined) lasting.add(parentCallId);
  }
  return lasting;
}

/** The reason of a denial without an explanation. The id of a user or a link is in the event; in a sentence it means nothing to a reader. */
export function denialText(answeredBy: string): string {
  return `denied by ${personName(answeredBy)}`;
}
