/**
 * A call of the run's own model as a dynamic tool part: `run-log` has no types of tools. It never emits a nested agent's
 * calls, and it never reads a growing text for each delta.
 */
import type { CallState } from "../../log/callState.js";
import { parsedInput } from "../../log/closing.js";
import type { Progress } from "../../log/events/callEvents.js";
import type { Image } from "../../log/events/envelope.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import type { JsonValue } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import type { UiApprovalDescriptor, UiMessageChunk, UiToolMetadata } from "./chunks.js";

/** A partial output shows at most this many of its last characters; the closing carries the whole. */
const partialOutputLength = 1024;

/** `before` and `call` are the call before and after the event. */
export function callChunks(
  event: CallEvent,
  before: CallState | undefined,
  call: CallState,
): readonly UiMessageChunk[] {
  const { callId: toolCallId, toolName } = call;
  switch (event.type) {
    case "call.opened": {
      const opening = {
        toolCallId,
        toolName,
        dynamic: true,
        toolMetadata: metadataOf(call),
      } as const;
      return [
        { type: "tool-input-start", ...opening, ...withoutUndefined({ title: event.title }) },
      ];
    }
    case "call.input.delta":
      return [{ type: "tool-input-delta", toolCallId, inputTextDelta: event.text }];
    case "call.input.closed":
      return [closedInputChunk(event, call)];
    case "call.input.amended":
      return amendedInputChunks(event);
    case "call.approval.asked": {
      const { approvalId } = event;
      const approvalDescriptor = descriptorOf(event);
      return [{ type: "tool-approval-request", toolCallId, approvalId, approvalDescriptor }];
    }
    case "call.approval.answered":
      return answerChunks(event, call);
    case "call.run.started":
      return [];
    case "call.run.progressed":
      return progressChunks(event.progress, call);
    case "call.closed":
      return [...owedInputChunks(event, before), ...closingChunks(event, before, call)];
    default:
      return event satisfies never;
  }
}

/** The part keeps the arguments of the model; those that the call runs with are beside them. */
export function amendedInputChunks(
  event: EventOf<"call.input.amended">,
): readonly UiMessageChunk[] {
  const { callId: toolCallId, input, amendedBy, title } = event;
  const data = { toolCallId, input, amendedBy, ...withoutUndefined({ title }) };
  return [{ type: "data-amended-input", id: toolCallId, data }];
}

export function metadataOf(call: CallState): UiToolMetadata {
  const { toolType, openedBy, iteration } = call;
  return { toolType, openedBy, iteration };
}

/** The metadata of a call that has ended: a chunk's metadata replaces what was there before. */
export function closingMetadataOf(event: EventOf<"call.closed">, call: CallState): UiToolMetadata {
  const { outcome, summary, exitCode, filePath, persistKey } = event;
  const ranMs = call.status === "closed" ? call.ranMs : undefined;
  const failure =
    event.outcome === "ok" ? {} : { errorType: event.errorType, partialOutput: event.output };
  const facts = { ranMs, summary, exitCode, filePath, persistKey, ...failure };
  return { ...metadataOf(call), outcome, ...withoutUndefined(facts) };
}

export function descriptorOf(event: EventOf<"call.approval.asked">): UiApprovalDescriptor {
  const { options, reason, expiresAt } = event;
  return { options, ...withoutUndefined({ reason, expiresAt }) };
}

export function uiOutputOf(event: EventOf<"call.closed"> & { outcome: "ok" }): JsonValue {
  if (event.outputType !== "json") return event.output;
  const parsed = parsedInput(event.output);
  return parsed.parsed && event.output.trim() !== "" ? parsed.input : event.output;
}

/** The progress of any call as data parts that reach `onData` alone. A heartbeat contains how long the tool was silent. */
export function progressDataChunks(
  progress: Progress,
  toolCallId: string,
): readonly UiMessageChunk[] {
  if (progress.type === "output") {
    const data = { toolCallId, offset: progress.offset, delta: progress.text };
    return [{ type: "data-call-output", data, transient: true }];
  }
  return [{ type: "data-call-progress", data: { toolCallId, progress }, transient: true }];
}

export function fileChunk(image: Image, toolCallId?: string): UiMessageChunk {
  const mediaType = image.mediaType ?? "image/png";
  const file = { type: "file", url: `data:${mediaType};base64,${image.data}`, mediaType } as const;
  return toolCallId === undefined
    ? file
    : { ...file, providerMetadata: { callboard: { toolCallId } } };
}

/** For a log whose run ended before its calls did: the consumer is not left waiting. */
export function lostCallChunks(call: CallState, errorText: string): readonly UiMessageChunk[] {
  const { callId: toolCallId } = call;
  const toolMetadata = { ...metadataOf(call), outcome: "interrupted" } as const;
  const dynamic = true;
  return [
    ...cutInputChunks(call, errorText),
    { type: "tool-output-error", toolCallId, errorText, dynamic, toolMetadata },
  ];
}

function cutInputChunks(call: CallState, errorText: string): readonly UiMessageChunk[] {
  if (call.status !== "inputStreaming") return [];
  const { callId: toolCallId, toolName, inputText: input } = call;
  return [{ type: "tool-input-error", toolCallId, toolName, input, errorText, dynamic: true }];
}

function closedInputChunk(event: EventOf<"call.input.closed">, call: CallState): UiMessageChunk {
  const tool = { toolCallId: call.callId, toolName: call.toolName, dynamic: true } as const;
  if (!event.parsed) {
    return { type: "tool-input-error", ...tool, input: event.text, errorText: event.problem };
  }
  const title = withoutUndefined({ title: event.title });
  return { type: "tool-input-available", ...tool, input: event.input, ...title };
}

/**
 * The dialect has no word for an answer that was given elsewhere, so a data part keeps it. A partial
 * output moves an allowed call on from waiting.
 */
function answerChunks(
  event: EventOf<"call.approval.answered">,
  call: CallState,
): readonly UiMessageChunk[] {
  const { callId: toolCallId, approvalId, allowed: approved, answeredBy, optionId, rule } = event;
  const given = withoutUndefined({ optionId, rule, reason: event.message });
  const data = { toolCallId, approvalId, approved, answeredBy, ...given };
  const answer = { type: "data-approval", id: approvalId, data } as const;
  if (!approved) return [answer];
  return [answer, partialOutput(toolCallId, call.status === "running" ? lastOutputOf(call) : "")];
}

function progressChunks(progress: Progress, call: CallState): readonly UiMessageChunk[] {
  if (progress.type === "preview") return [partialOutput(call.callId, progress.text)];
  const told = progressDataChunks(progress, call.callId);
  if (progress.type !== "output" || call.status !== "running") return told;
  if (!isDoubled(progress.offset, progress.offset + progress.text.length)) return told;
  return [...told, partialOutput(call.callId, lastOutputOf(call))];
}

function partialOutput(toolCallId: string, output: string): UiMessageChunk {
  return { type: "tool-output-available", toolCallId, output, dynamic: true, preliminary: true };
}

/** True a logarithmic number of times, which keeps the sum of all partial outputs linear. */
function isDoubled(from: number, to: number): boolean {
  return Math.clz32(to) < Math.clz32(from);
}

function lastOutputOf(call: Extract<CallState, { status: "running" }>): string {
  const last = call.execution.outputText.slice(-partialOutputLength);
  const startsInsidePair = /^[\uDC00-\uDFFF]/.test(last);
  return startsInsidePair ? last.slice(1) : last;
}

/** A log that lost the closing of the arguments still shows them. */
function owedInputChunks(
  event: EventOf<"call.closed">,
  before: CallState | undefined,
): readonly UiMessageChunk[] {
  if (before?.status !== "inputStreaming") return [];
  if (event.outcome !== "ok") return cutInputChunks(before, event.message);
  const { v, runId, seq, at, callId } = event;
  const input = parsedInput(before.inputText);
  return [
    closedInputChunk({ v, runId, seq, at, callId, type: "call.input.closed", ...input }, before),
  ];
}

/** No chunk about a call follows its closing, so its other results come first. */
function closingChunks(
  event: EventOf<"call.closed">,
  before: CallState | undefined,
  call: CallState,
): readonly UiMessageChunk[] {
  const { callId: toolCallId, images = [], diffs } = event;
  return [
    ...images.map((image) => fileChunk(image, toolCallId)),
    ...(diffs === undefined
      ? []
      : [{ type: "data-call-diffs", id: toolCallId, data: { toolCallId, diffs } } as const]),
    closingChunk(event, before, call),
  ];
}

function closingChunk(
  event: EventOf<"call.closed">,
  before: CallState | undefined,
  call: CallState,
): UiMessageChunk {
  const { callId: toolCallId } = event;
  const closing = {
    toolCallId,
    dynamic: true,
    toolMetadata: closingMetadataOf(event, call),
  } as const;
  if (event.outcome === "ok") {
    return { type: "tool-output-available", ...closing, output: uiOutputOf(event) };
  }
  if (event.outcome === "denied" && isDeniedQuestion(before)) {
    return { type: "tool-output-denied", toolCallId };
  }
  return { type: "tool-output-error", ...closing, errorText: event.message };
}

/** A denial without a question, or of a call that has run, is an error: it has no place for outputs. */
function isDeniedQuestion(before: CallState | undefined): boolean {
  if (before?.status !== "refused" && before?.status !== "awaitingApproval") return false;
  return before.execution === undefined;
}
