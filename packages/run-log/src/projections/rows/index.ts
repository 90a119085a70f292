/**
 * The writes that keep `cx_user_request`, `cx_message` and `cx_tool_call` true as the run goes.
 * Rows, never SQL. A nested agent's messages are in the log alone; its calls have rows of their own.
 */
import {
  type CallEvent,
  type EventOf,
  isCallEvent,
  type RunEvent,
} from "../../log/events/index.js";
import { elapsedMs, type RunState } from "../../log/state.js";
import type { Projection, Step } from "../shared/projection.js";
import { callRowsStep } from "./callRows.js";
import { initialRowsMemory, type RowsMemory, type RowsOptions, timeOf } from "./memory.js";
import {
  argumentsKnown,
  callMade,
  contentGrown,
  messageClosed,
  messageOpened,
} from "./messageRows.js";
import type { CxUserRequestRow, RowWrite } from "./rowTypes.js";

type RowsStep = Step<RowsMemory, RowWrite>;

export function createRowsProjection(options: RowsOptions): Projection<RowsMemory, RowWrite> {
  return {
    initial: initialRowsMemory(options),
    step: (memory, event, { after }) => rowsStep(memory, event, after, options),
  };
}

function rowsStep(
  memory: RowsMemory,
  event: RunEvent,
  run: RunState,
  options: RowsOptions,
): RowsStep {
  if (isCallEvent(event)) {
    return both(inMessage(memory, event, run), (next) => callRowsStep(next, event, run, options));
  }
  switch (event.type) {
    case "run.started":
      return requestOpened(memory, event, options);
    case "run.closed":
      return requestClosed(memory, event, run);
    case "run.parked":
    case "run.resumed":
    case "status.reported":
    case "data.emitted":
    case "usage.reported":
    case "text.delta":
    case "reasoning.delta":
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
    case "hook.answered":
      return { memory, outputs: [] };
    case "context.compacted":
      return { memory: { ...memory, askedAt: event.at }, outputs: [] };
    case "error.reported":
      return { memory: { ...memory, error: event.message }, outputs: [] };
    case "message.opened":
      return messageOpened(memory, event, options);
    case "message.closed":
      return messageClosed({ ...memory, askedAt: event.at }, event, run, options);
    case "text.closed":
      return contentGrown(memory, event.messageId, { type: "text", text: event.text });
    case "reasoning.closed": {
      const { text, signature } = event;
      const part = { type: "thinking", text } as const;
      return contentGrown(
        memory,
        event.messageId,
        signature === undefined ? part : { ...part, signature },
      );
    }
    case "image.attached": {
      const { data, mediaType: media_type } = event.image;
      const part = { type: "media", kind: "image", data } as const;
      return contentGrown(
        memory,
        event.messageId,
        media_type === undefined ? part : { ...part, media_type },
      );
    }
    default:
      return event satisfies never;
  }
}

/** What a call changes in the message that made it. */
function inMessage(memory: RowsMemory, event: CallEvent, run: RunState): RowsStep {
  if (event.type === "call.opened") return callMade(memory, event);
  if (event.type === "call.input.closed") return argumentsKnown(memory, event, run);
  return { memory, outputs: [] };
}

function both(first: RowsStep, then: (memory: RowsMemory) => RowsStep): RowsStep {
  const second = then(first.memory);
  return { memory: second.memory, outputs: [...first.outputs, ...second.outputs] };
}

function requestOpened(
  memory: RowsMemory,
  event: EventOf<"run.started">,
  options: RowsOptions,
): RowsStep {
  const requestId = options.rowId("cx_user_request", event.runId);
  const conversationId = options.rowId("cx_conversation", event.conversationId);
  const userId = event.userId ?? null;
  const { model, agent } = event;
  const metadata = agent === undefined ? { model } : { model, agent };
  const row: CxUserRequestRow = {
    id: requestId,
    conversation_id: conversationId,
    user_id: userId,
    status: "pending",
    iterations: 0,
    total_input_tokens: 0,
    total_output_tokens: 0,
    total_cached_tokens: 0,
    total_tokens: 0,
    total_cost: null,
    total_tool_calls: 0,
    total_duration_ms: 0,
    tool_duration_ms: 0,
    trigger_message_position: null,
    result_start_position: null,
    result_end_position: null,
    finish_reason: null,
    error: null,
    created_at: timeOf(event.at),
    completed_at: null,
    metadata,
    deleted_at: null,
  };
  return {
    memory: { ...memory, requestId, conversationId, userId, metadata, askedAt: event.at },
    outputs: [{ table: "cx_user_request", write: "insert", row }],
  };
}

function requestClosed(memory: RowsMemory, event: EventOf<"run.closed">, run: RunState): RowsStep {
  const { usage, outcome, reason } = event;
  const set = {
    status: requestStatusOf(outcome),
    iterations: memory.iterations,
    total_input_tokens: usage.inputTokens,
    total_output_tokens: usage.outputTokens,
    total_cached_tokens: usage.cacheReadTokens ?? 0,
    total_tokens: usage.inputTokens + usage.outputTokens,
    total_cost: usage.costUsd ?? null,
    total_tool_calls: event.calls,
    total_duration_ms: elapsedMs(run, event.at),
    tool_duration_ms: memory.toolMs,
    trigger_message_position: memory.triggerPosition,
    result_start_position: memory.resultStart,
    result_end_position: memory.resultEnd,
    finish_reason: outcome,
    error: outcome === "ok" ? null : (memory.error ?? reason ?? outcome),
    completed_at: timeOf(event.at),
    // A stream without times contains nothing about it.
    ...(memory.firstTokenMs && {
      metadata: { ...memory.metadata, first_token_ms: memory.firstTokenMs },
    }),
  };
  return {
    memory,
    outputs: [{ table: "cx_user_request", write: "update", id: memory.requestId, set }],
  };
}

function requestStatusOf(outcome: EventOf<"run.closed">["outcome"]): CxUserRequestRow["status"] {
  if (outcome === "ok") return "completed";
  return outcome === "cancelled" ? "cancelled" : "failed";
}
