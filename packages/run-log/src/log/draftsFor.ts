/**
 * The events of an intent, with the closings that it implies: a call closes the text before it, a parent closes its
 * nested calls, a run closes everything. Whether they are legal is not checked here.
 */

import { withoutUndefined } from "../values/optional.js";
import type { CallState } from "./callState.js";
import {
  closingOfInput,
  closingOfOpenPart,
  closingsOfCalls,
  closingsOfNestedMessages,
  closingsOfWork,
  outputSoFar,
  parsedInput,
} from "./closing.js";
import type { Draft } from "./drafts.js";
import type { CallId, MessageId } from "./ids.js";
import type { ClosingReason, Intent, IntentOf } from "./intents.js";
import { denialText } from "./questions.js";
import { closingsOfQueue, deliveryOf } from "./queue.js";
import { callOf, messageOf, type OpenRun, type PartState, partOf } from "./state.js";

type OpenRunIntent = Exclude<Intent, { type: "startRun" }>;

/** An intent's own fields, without its name and time. */
function draftBodyOf<T extends { readonly type: string; readonly at: number }>(
  intent: T,
): Omit<T, "type" | "at"> {
  const { type: _, at: __, ...body } = intent;
  return body;
}

export function draftsFor(state: OpenRun, intent: OpenRunIntent): readonly Draft[] {
  switch (intent.type) {
    case "closeRun":
      return draftsForCloseRun(state, intent);
    case "parkRun":
      return [...closingsOfOpenParts(state), { type: "run.parked" }];
    case "resumeRun":
      return [{ type: "run.resumed" }];
    case "reportStatus":
      return [{ type: "status.reported", ...draftBodyOf(intent) }];
    case "emitData":
      return [{ type: "data.emitted", ...draftBodyOf(intent) }];
    case "reportError":
      return [...closingsBeforeError(state), { type: "error.reported", ...draftBodyOf(intent) }];
    case "reportUsage":
      return [{ type: "usage.reported", ...draftBodyOf(intent) }];
    case "compactContext":
      return [{ type: "context.compacted", ...draftBodyOf(intent) }];
    case "noteHook":
      return [{ type: "hook.answered", ...draftBodyOf(intent) }];
    case "queueMessage":
      return [{ type: "message.queued", ...draftBodyOf(intent) }];
    case "requeueMessage":
      return [{ type: "message.requeued", ...draftBodyOf(intent) }];
    case "removeQueued":
      return [{ type: "message.unqueued", messageId: intent.messageId, outcome: "removed" }];
    case "deliverQueued":
      return deliveryOf(state, intent.messageId, intent.at);
    case "openMessage":
      return [{ type: "message.opened", ...draftBodyOf(intent) }];
    case "closeMessage":
      return [
        ...closingOfOpenPart(state, intent.messageId),
        { type: "message.closed", ...draftBodyOf(intent) },
      ];
    case "appendText":
    case "appendReasoning":
      return draftsForAppend(state, intent);
    case "closeText":
    case "closeReasoning":
      return draftsForClosePart(state, intent);
    case "attachImage":
      return [
        ...closingOfOpenPart(state, intent.messageId),
        { type: "image.attached", ...draftBodyOf(intent) },
      ];
    case "openCall":
      return [
        ...closingOfOpenPart(state, intent.messageId),
        { type: "call.opened", ...draftBodyOf(intent) },
      ];
    case "appendInput": {
      if (intent.text === "" && callOf(state, intent.callId)?.status === "inputStreaming")
        return [];
      const { callId, text } = intent;
      return [
        { type: "call.input.delta", callId, text, offset: inputLengthOf(callOf(state, callId)) },
      ];
    }
    case "closeInput":
      return draftsForCloseInput(state, intent);
    case "amendInput":
      return [{ type: "call.input.amended", ...draftBodyOf(intent) }];
    case "askApproval":
      return [{ type: "call.approval.asked", ...draftBodyOf(intent) }];
    case "answerApproval":
      return draftsForAnswer(state, intent);
    case "startCall":
      return [{ type: "call.run.started", ...draftBodyOf(intent) }];
    case "progressCall":
      return draftsForProgress(state, intent);
    case "closeCall":
      return draftsForCloseCall(state, intent);
    default:
      return intent satisfies never;
  }
}

/** An error comes after the text that it interrupts. */
function closingsBeforeError(state: OpenRun): Draft[] {
  return [...state.messages.open.values()]
    .filter((message) => message.role === "assistant" && message.parentCallId === undefined)
    .flatMap((message) => closingOfOpenPart(state, message.messageId));
}

/** A run that only waits writes no text: what was open is whole. */
function closingsOfOpenParts(state: OpenRun): Draft[] {
  return [...state.messages.open.keys()].flatMap((id) => closingOfOpenPart(state, id));
}

function draftsForCloseRun(state: OpenRun, intent: IntentOf<"closeRun">): readonly Draft[] {
  const outcome =
    intent.outcome === "cancelled" || intent.outcome === "timeout" ? intent.outcome : "interrupted";
  const message = intent.reason ?? `the run ended: ${intent.outcome}`;
  const { nextRunId, ...closing } = draftBodyOf(intent);
  return [
    ...closingsOfWork(state, { at: intent.at, outcome, message }),
    ...closingsOfQueue(state, nextRunId),
    { type: "run.closed", ...closing, usage: state.usage, calls: state.calls.size },
  ];
}

function draftsForAppend(
  state: OpenRun,
  intent: IntentOf<"appendText" | "appendReasoning">,
): readonly Draft[] {
  const type = intent.type === "appendText" ? "text.delta" : "reasoning.delta";
  const part = partOf(state, intent.partId);
  if (intent.text === "" && isOpenIn(state, intent.messageId, part)) return [];
  const { messageId, partId, text } = intent;
  if (part?.status === "open") {
    return [{ type, messageId, partId, text, offset: part.text.length }];
  }
  return [...closingOfOpenPart(state, messageId), { type, messageId, partId, text, offset: 0 }];
}

/** Whether text could be appended here: then none of it adds nothing. */
function isOpenIn(state: OpenRun, messageId: MessageId, part: PartState | undefined): boolean {
  if (messageOf(state, messageId)?.status !== "open") return false;
  return part === undefined || (part.status === "open" && part.messageId === messageId);
}

function draftsForClosePart(
  state: OpenRun,
  intent: IntentOf<"closeText" | "closeReasoning">,
): readonly Draft[] {
  const part = partOf(state, intent.partId);
  const text = part?.status === "open" ? part.text : "";
  const startedAt = part?.status === "open" ? part.startedAt : intent.at;
  const type = intent.type === "closeText" ? "text.closed" : "reasoning.closed";
  // A part with only a closing: the open part before it is closed first.
  const before = part === undefined ? closingOfOpenPart(state, intent.messageId) : [];
  return [...before, { type, ...draftBodyOf(intent), text, startedAt }];
}

function inputLengthOf(call: CallState | undefined): number {
  return call?.status === "inputStreaming" ? call.inputText.length : 0;
}

function draftsForCloseInput(state: OpenRun, intent: IntentOf<"closeInput">): readonly Draft[] {
  const { callId, title, locations, providerData } = intent;
  const opaque = withoutUndefined({ providerData });
  const call = callOf(state, callId);
  const text = intent.text ?? (call?.status === "inputStreaming" ? call.inputText : "");
  const type = "call.input.closed";
  if (intent.problem !== undefined) {
    return [{ type, callId, parsed: false, text, problem: intent.problem, ...opaque }];
  }
  const input = parsedInput(text);
  if (!input.parsed) return [{ type, callId, ...input, ...opaque }];
  return [
    {
      type,
      callId,
      ...input,
      ...withoutUndefined({ title, locations }),
      ...opaque,
    },
  ];
}

function draftsForAnswer(state: OpenRun, intent: IntentOf<"answerApproval">): readonly Draft[] {
  const { input, title, locations, ...answer } = draftBodyOf(intent);
  const answered: Draft = { type: "call.approval.answered", ...answer };
  if (input !== undefined) {
    const { callId, answeredBy: amendedBy } = intent;
    const details = withoutUndefined({ title, locations });
    return [answered, { type: "call.input.amended", callId, input, amendedBy, ...details }];
  }
  const call = callOf(state, intent.callId);
  if (intent.allowed || call?.status !== "awaitingApproval") return [answered];
  const message = intent.message ?? denialText(intent.answeredBy);
  const ending = { outcome: "denied", message, callId: intent.callId } as const;
  return [answered, ...draftsForCloseCall(state, { type: "closeCall", at: intent.at, ...ending })];
}

function draftsForProgress(state: OpenRun, intent: IntentOf<"progressCall">): readonly Draft[] {
  const { callId, progress } = intent;
  const type = "call.run.progressed";
  if (progress.type !== "output") return [{ type, callId, progress }];
  const call = callOf(state, callId);
  if (progress.text === "" && call?.status === "running") return [];
  const offset = call ? outputSoFar(call).length : 0;
  return [{ type, callId, progress: { ...progress, offset } }];
}

function draftsForCloseCall(state: OpenRun, intent: IntentOf<"closeCall">): readonly Draft[] {
  const call = callOf(state, intent.callId);
  const reason: ClosingReason = {
    at: intent.at,
    outcome: intent.outcome === "timeout" ? "timeout" : "cancelled",
    message: `the call that it worked for ended: ${intent.outcome}`,
  };
  const nested = closingsOfNested(state, intent.callId, reason);
  if (intent.outcome === "ok") return [...nested, { type: "call.closed", ...draftBodyOf(intent) }];
  const output = call && outputSoFar(call);
  return [
    ...nested,
    ...(call ? closingOfInput(call, intent.message) : []),
    {
      type: "call.closed",
      errorType: intent.outcome,
      ...(output ? { output } : {}),
      ...draftBodyOf(intent),
    },
  ];
}

/** What a nested agent left open, innermost first. */
function closingsOfNested(state: OpenRun, callId: CallId, reason: ClosingReason): Draft[] {
  const family = new Set([callId]);
  const calls: CallState[] = [];
  for (const call of state.calls.open.values()) {
    if (call.parentCallId === undefined || !family.has(call.parentCallId)) continue;
    family.add(call.callId);
    calls.push(call);
  }
  return [...closingsOfCalls(state, calls, reason), ...closingsOfNestedMessages(state, callId)];
}
