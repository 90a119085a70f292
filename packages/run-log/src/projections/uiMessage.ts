/**
 * The AI SDK's UI message stream: one run is one assistant message, one model answer one step of it.
 * User messages are the page's own and are not streamed; nested agents become data parts. The wire
 * only appends: what a closing knows beyond its deltas is sent before the end, nothing is taken back.
 */

import { type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { RunOutcome } from "../log/events/runEvents.js";
import type { CallId, MessageId } from "../log/ids.js";
import { queueChangeOf } from "../log/queue.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import {
  isClosing,
  isReasoning,
  newTextOf,
  type TextEvent,
  toldTextOf,
} from "../log/textEvents.js";
import { withoutUndefined } from "../values/optional.js";
import { eventBodyOf } from "./shared/eventBody.js";
import type { Projection, RunChange } from "./shared/projection.js";
import { callChunks, fileChunk, lostCallChunks } from "./uiMessage/calls.js";
import type { UiFinishReason, UiMessageChunk } from "./uiMessage/chunks.js";
import { nestedCallChunks, nestedTextChunks } from "./uiMessage/nested.js";

export type * from "./uiMessage/chunks.js";

export interface UiMessageOptions {
  /** The id of the assistant message, if the page knows it already. The run's id otherwise. */
  readonly messageId?: string;
}

export interface UiMessageMemory {
  readonly inStep: boolean;
  /** The last reported error. */
  readonly problem?: string;
  /** How the last answer of the run's own model ended. */
  readonly finishReason?: string;
}

export function createUiMessageProjection(
  options: UiMessageOptions = {},
): Projection<UiMessageMemory, UiMessageChunk> {
  return {
    initial: { inStep: false },
    step(memory, event, change) {
      const { after: run } = change;
      const startsStep = isStepStart(memory, event, change);
      const chunks = [
        ...(startsStep && memory.inStep ? [{ type: "finish-step" } as const] : []),
        ...(startsStep ? [{ type: "start-step" } as const] : []),
        ...chunksOf(memory, event, change, options),
      ];
      const problem =
        event.type === "error.reported" ? (event.userMessage ?? event.message) : undefined;
      const inStep = event.type !== "run.closed" && (memory.inStep || startsStep);
      return {
        memory: {
          ...memory,
          inStep,
          ...withoutUndefined({ problem, finishReason: ownFinishReason(event, run) }),
        },
        outputs: chunks,
      };
    },
  };
}

function ownFinishReason(event: RunEvent, run: RunState): string | undefined {
  if (event.type !== "message.closed") return undefined;
  const isOwn = messageOf(run, event.messageId)?.parentCallId === undefined;
  return isOwn ? event.finishReason : undefined;
}

/**
 * A step starts with an answer of the run's own model, or with the first text before one. The consumer drops open texts
 * and open arguments at a step, so a step never starts while one is open.
 */
function isStepStart(memory: UiMessageMemory, event: RunEvent, change: RunChange): boolean {
  if (event.type === "call.opened") {
    return !memory.inStep && parentOf(change.after, event.messageId, event.callId) === undefined;
  }
  if (event.type !== "message.opened") return false;
  if (event.role !== "assistant" || event.parentCallId !== undefined) return false;
  return !memory.inStep || !hasOpenWork(change.before);
}

function hasOpenWork(run: RunState): boolean {
  if (run.status === "unstarted") return false;
  const openMessages = [...run.messages.open.values()];
  const openCalls = [...run.calls.open.values()];
  return (
    openMessages.some(({ role, parentCallId }) => role === "assistant" && !parentCallId) ||
    openCalls.some(
      ({ status, messageId, callId }) =>
        status === "inputStreaming" && parentOf(run, messageId, callId) === undefined,
    )
  );
}

/** The call that a message or a call works for, if it belongs to a nested agent. */
function parentOf(run: RunState, messageId: MessageId, callId?: CallId): CallId | undefined {
  const call = callId && callOf(run, callId);
  return (call ? call.parentCallId : undefined) ?? messageOf(run, messageId)?.parentCallId;
}

function chunksOf(
  memory: UiMessageMemory,
  event: RunEvent,
  { before, after: run }: RunChange,
  options: UiMessageOptions,
): readonly UiMessageChunk[] {
  if (isCallEvent(event)) {
    const call = callOf(run, event.callId);
    if (!call) return [];
    const parent = parentOf(run, call.messageId, call.callId);
    return parent === undefined
      ? callChunks(event, callOf(before, call.callId), call)
      : nestedCallChunks(event, call, parent);
  }
  switch (event.type) {
    case "run.started": {
      const { runId, conversationId, model } = event;
      const messageMetadata = { runId, conversationId, model };
      return [{ type: "start", messageId: options.messageId ?? runId, messageMetadata }];
    }
    case "run.closed":
      return endChunks(memory, event, run);
    case "status.reported":
      return [{ type: "data-status", data: eventBodyOf(event), transient: true }];
    case "data.emitted":
      return [{ type: "data-emitted", data: event.data }];
    case "error.reported":
      return [{ type: "data-error", data: eventBodyOf(event) }];
    case "usage.reported": {
      if (run.status === "unstarted") return [];
      const context = withoutUndefined({ context: event.context });
      return [{ type: "message-metadata", messageMetadata: { usage: run.usage, ...context } }];
    }
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
      return [{ type: "data-queue", id: event.messageId, data: queueChangeOf(event) }];
    case "context.compacted":
      return [{ type: "data-compaction", data: eventBodyOf(event) }];
    case "hook.answered":
      return [{ type: "data-hook", data: eventBodyOf(event) }];
    case "run.parked":
    case "run.resumed":
    case "message.opened":
    case "message.closed":
      return [];
    case "text.delta":
    case "text.closed":
    case "reasoning.delta":
    case "reasoning.closed":
      return textChunks(event, before, run);
    case "image.attached": {
      const message = messageOf(run, event.messageId);
      const { partId: id, image } = event;
      const parentToolCallId = message?.parentCallId;
      if (parentToolCallId !== undefined) {
        return [{ type: "data-nested-image", id, data: { parentToolCallId, image } }];
      }
      return message?.role === "assistant" ? [fileChunk(image)] : [];
    }
    default:
      return event satisfies never;
  }
}

function textChunks(event: TextEvent, before: RunState, run: RunState): readonly UiMessageChunk[] {
  const message = messageOf(run, event.messageId);
  if (!message) return [];
  if (message.parentCallId !== undefined) {
    return nestedTextChunks(event, message, message.parentCallId);
  }
  if (message.role === "user") return [];
  const { partId: id } = event;
  const kind = isReasoning(event) ? "reasoning" : "text";
  const isNew = toldTextOf(event, before) === undefined;
  const delta = newTextOf(event, before);
  if (isNew && delta === "") return [];
  return [
    ...(isNew ? [{ type: `${kind}-start`, id } as const] : []),
    ...(delta === "" ? [] : [{ type: `${kind}-delta`, id, delta } as const]),
    ...(isClosing(event) ? [{ type: `${kind}-end`, id } as const] : []),
  ];
}

/** `useChat` stops reading at an error and the dialect has nothing after an abort: both come last. */
function endChunks(
  memory: UiMessageMemory,
  event: EventOf<"run.closed">,
  run: RunState,
): readonly UiMessageChunk[] {
  const { outcome, usage, calls, reason } = event;
  const message = reason ?? `the run ended: ${outcome}`;
  const finishReason = finishReasonOf(outcome, memory.finishReason);
  const errorText = (outcome === "error" ? memory.problem : undefined) ?? message;
  return [
    ...lostChunks(run, message),
    { type: "message-metadata", messageMetadata: { usage, calls, outcome } },
    ...(isFailure(outcome) ? [{ type: "error", errorText } as const] : []),
    ...(memory.inStep ? [{ type: "finish-step" } as const] : []),
    outcome === "cancelled"
      ? { type: "abort", ...withoutUndefined({ reason }) }
      : { type: "finish", finishReason },
  ];
}

/** The closings that were missing in the log when its run ended. */
function lostChunks(run: RunState, message: string): readonly UiMessageChunk[] {
  if (run.status === "unstarted") return [];
  const isOwn = (messageId: MessageId): boolean => {
    const own = messageOf(run, messageId);
    return own?.role === "assistant" && own.parentCallId === undefined;
  };
  const ends = [...run.parts.open].flatMap(([id, { kind, messageId }]) =>
    kind === "image" || !isOwn(messageId) ? [] : [{ type: `${kind}-end`, id } as const],
  );
  const calls = [...run.calls.open.values()].filter(
    ({ messageId, callId }) => parentOf(run, messageId, callId) === undefined,
  );
  return [...ends, ...calls.flatMap((call) => lostCallChunks(call, message))];
}

function isFailure(outcome: RunOutcome): boolean {
  return outcome === "error" || outcome === "timeout" || outcome === "interrupted";
}

/** `word` is how the last answer of the run's own model ended. */
function finishReasonOf(outcome: RunOutcome, word: string | undefined): UiFinishReason {
  switch (outcome) {
    case "ok":
      return "stop";
    case "error":
      return word !== undefined && refusals.has(word) ? "content-filter" : "error";
    case "timeout":
    case "interrupted":
      return "error";
    case "limit":
      return word === "length" ? "length" : "other";
    case "cancelled":
      return "other";
    default:
      return outcome satisfies never;
  }
}

const refusals: ReadonlySet<string> = new Set(["refusal", "content-filter", "prompt-blocked"]);
