/**
 * The closings that a log still needs: of arguments cut short, of calls, of parts and messages. Abort, shutdown and
 * crash recovery all append what this module returns, so they all end in the same way.
 */

import { messageOfError } from "../values/errorMessage.js";
import { isJson, type JsonValue, MAX_JSON_DEPTH } from "../values/json.js";
import type { CallState } from "./callState.js";
import { type Draft, stamped } from "./drafts.js";
import type { RunEvent } from "./events/index.js";
import type { CallId, MessageId } from "./ids.js";
import type { ClosingReason } from "./intents.js";
import { lastingCallsOf } from "./questions.js";
import { messageOf, type OpenRun, openCallsOf, partOf, type RunState } from "./state.js";

/** The closing events of every open call. Open calls and messages of nested agents are closed before the call that they work for. */
export function closeOpenCalls(state: RunState, reason: ClosingReason): readonly RunEvent[] {
  if (state.status !== "open") return [];
  return stamped(state, reason.at, closingsOfCalls(state, openCallsOf(state), reason));
}

/** The closing events of every open call, part and message: everything except the closing of the run. */
export function closeOpenWork(state: RunState, reason: ClosingReason): readonly RunEvent[] {
  if (state.status !== "open") return [];
  return stamped(state, reason.at, closingsOfWork(state, reason));
}

/** The same for a run whose process is gone, without the calls that outlive it. */
export function closeLostWork(state: RunState, reason: ClosingReason): readonly RunEvent[] {
  if (state.status !== "open") return [];
  const lasting = lastingCallsOf(state);
  const lost = openCallsOf(state).filter(({ callId }) => !lasting.has(callId));
  const ofLost = (id: CallId | undefined): boolean => lost.some(({ callId }) => callId === id);
  const others = [...state.messages.open.values()].filter((one) => !ofLost(one.parentCallId));
  return stamped(state, reason.at, [
    ...closingsOfCalls(state, lost, reason),
    ...others.flatMap(({ messageId }) => closingsOfMessage(state, messageId)),
  ]);
}

export function closingsOfWork(state: OpenRun, reason: ClosingReason): Draft[] {
  const own = [...state.messages.open.values()].filter((one) => one.parentCallId === undefined);
  return [
    ...closingsOfCalls(state, openCallsOf(state), reason),
    ...own.flatMap(({ messageId }) => closingsOfMessage(state, messageId)),
  ];
}

/** Innermost first: what a call's nested agent left open is closed before the call itself. */
export function closingsOfCalls(
  state: OpenRun,
  calls: readonly CallState[],
  reason: ClosingReason,
): Draft[] {
  return calls
    .toReversed()
    .flatMap((call) => [
      ...closingsOfNestedMessages(state, call.callId),
      ...closingsOfCall(call, reason),
    ]);
}

export function closingsOfNestedMessages(state: OpenRun, callId: CallId): Draft[] {
  return [...state.messages.open.values()]
    .filter((message) => message.parentCallId === callId)
    .flatMap((message) => closingsOfMessage(state, message.messageId));
}

function closingsOfCall(call: CallState, reason: ClosingReason): Draft[] {
  const { callId } = call;
  const output = outputSoFar(call);
  const kept = output === "" ? {} : { output };
  if (call.status === "refused") {
    const message = call.message;
    return [
      { type: "call.closed", callId, outcome: "denied", errorType: "denied", message, ...kept },
    ];
  }
  const { outcome, message } = reason;
  const errorType = reason.errorType ?? outcome;
  return [
    ...closingOfInput(call, message),
    { type: "call.closed", callId, outcome, errorType, message, ...kept },
  ];
}

/** Arguments that stop in the middle are kept as they are, and never run. */
export function closingOfInput(call: CallState, problem: string): Draft[] {
  if (call.status !== "inputStreaming") return [];
  const { callId, inputText: text } = call;
  return [{ type: "call.input.closed", callId, parsed: false, text, problem }];
}

export function outputSoFar(call: CallState): string {
  return ("execution" in call && call.execution?.outputText) || "";
}

/** The closing of the part that is open in a message, if one is. */
export function closingOfOpenPart(state: OpenRun, messageId: MessageId): Draft[] {
  const partId = messageOf(state, messageId)?.openPartId;
  const part = partId && partOf(state, partId);
  if (!partId || part?.status !== "open") return [];
  const { text, startedAt } = part;
  const type = part.kind === "reasoning" ? "reasoning.closed" : "text.closed";
  return [{ type, messageId, partId, text, startedAt }];
}

export function closingsOfMessage(state: OpenRun, messageId: MessageId): Draft[] {
  return [...closingOfOpenPart(state, messageId), { type: "message.closed", messageId }];
}

/** The arguments, once their text is complete. No text at all means no arguments. */
export function parsedInput(
  text: string,
):
  | { parsed: true; input: JsonValue; text?: string }
  | { parsed: false; text: string; problem: string } {
  if (text.trim() === "") return { parsed: true, input: {}, text };
  try {
    const input: unknown = JSON.parse(text);
    if (!isJson(input)) {
      return { parsed: false, text, problem: `nested more than ${MAX_JSON_DEPTH} deep` };
    }
    return JSON.stringify(input) === text ? { parsed: true, input } : { parsed: true, input, text };
  } catch (error) {
    return { parsed: false, text, problem: messageOfError(error) };
  }
}
