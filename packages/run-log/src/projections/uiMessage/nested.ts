/**
 * The text and calls of a nested agent, as data parts: neither the page nor a model history that is rebuilt from the
 * page may take them for the run's own. It never makes text or tool chunks.
 */
import type { CallState } from "../../log/callState.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import type { CallId } from "../../log/ids.js";
import type { MessageState } from "../../log/state.js";
import type { JsonValue } from "../../values/json.js";
import { withoutUndefined } from "../../values/optional.js";
import {
  amendedInputChunks,
  closingMetadataOf,
  descriptorOf,
  metadataOf,
  progressDataChunks,
  uiOutputOf,
} from "./calls.js";
import type { UiMessageChunk, UiNestedCall } from "./chunks.js";

type TextEvent = EventOf<"text.delta" | "reasoning.delta" | "text.closed" | "reasoning.closed">;

/** Pieces are transient; the whole text stays in the message. */
export function nestedTextChunks(
  event: TextEvent,
  message: MessageState,
  parentToolCallId: CallId,
): readonly UiMessageChunk[] {
  const { partId: id, messageId } = event;
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta": {
      const data = { parentToolCallId, id, offset: event.offset, delta: event.text };
      return [{ type: "data-nested-text-delta", data, transient: true }];
    }
    case "text.closed":
    case "reasoning.closed": {
      if (event.text === "") return [];
      const kind = event.type === "text.closed" ? "text" : "reasoning";
      const { role } = message;
      const data = { parentToolCallId, messageId, role, kind, text: event.text } as const;
      return [{ type: "data-nested-text", id, data }];
    }
    default:
      return event satisfies never;
  }
}

/** One part per call, replaced at each of its few turns; argument text does not travel. */
export function nestedCallChunks(
  event: CallEvent,
  call: CallState,
  parentToolCallId: CallId,
): readonly UiMessageChunk[] {
  const { callId: toolCallId, toolName } = call;
  if (event.type === "call.run.progressed") return progressDataChunks(event.progress, toolCallId);
  if (event.type === "call.input.amended") return amendedInputChunks(event);
  const state = nestedStateOf(event, call);
  if (state === undefined) return [];
  const toolMetadata =
    event.type === "call.closed" ? closingMetadataOf(event, call) : metadataOf(call);
  const data: UiNestedCall = { parentToolCallId, toolCallId, toolName, toolMetadata, ...state };
  return [{ type: "data-nested-call", id: toolCallId, data }];
}

type NestedState = UiNestedCall extends infer Call
  ? Call extends UiNestedCall
    ? Omit<Call, "parentToolCallId" | "toolCallId" | "toolName" | "toolMetadata">
    : never
  : never;

function nestedStateOf(
  event: Exclude<CallEvent, EventOf<"call.run.progressed" | "call.input.amended">>,
  call: CallState,
): NestedState | undefined {
  const input = nestedInputOf(call);
  switch (event.type) {
    case "call.opened":
      return { state: "input-streaming" };
    case "call.input.delta":
    case "call.run.started":
      return undefined;
    case "call.input.closed":
      return event.parsed
        ? { state: "input-available", input }
        : { state: "output-error", input, errorText: event.problem };
    case "call.approval.asked": {
      const approval = { id: event.approvalId, descriptor: descriptorOf(event) };
      return { state: "approval-requested", input, approval };
    }
    case "call.approval.answered": {
      const reason = withoutUndefined({ reason: event.message });
      const approval = { id: event.approvalId, approved: event.allowed, ...reason };
      return { state: "approval-responded", input, approval };
    }
    case "call.closed": {
      const images = withoutUndefined({ images: event.images });
      return event.outcome === "ok"
        ? { state: "output-available", input, output: uiOutputOf(event), ...images }
        : { state: "output-error", input, errorText: event.message, ...images };
    }
    default:
      return event satisfies never;
  }
}

function nestedInputOf(call: CallState): JsonValue {
  const input = "input" in call ? call.input : undefined;
  if (input === undefined) return null;
  return input.parsed ? input.value : input.text;
}
