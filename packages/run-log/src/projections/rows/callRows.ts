/** `cx_tool_call`: one row for each call, written at its opening, its milestones and its end. */
import { inputOf } from "../../log/admittedCall.js";
import type { CallInput, CallState } from "../../log/callState.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import type { RunId } from "../../log/ids.js";
import { callOf, type RunState } from "../../log/state.js";
import {
  emptyTimeline,
  type Timeline,
  timelineAfter,
  timelineEvents,
} from "../../stages/timeline.js";
import { boundedText } from "../../values/bounded.js";
import type { JsonObject } from "../../values/json.js";
import type { Step } from "../shared/projection.js";
import { type RowsMemory, type RowsOptions, timeOf } from "./memory.js";
import type { CxToolCallRow, RowWrite } from "./rowTypes.js";

type CallUpdate = Partial<Omit<CxToolCallRow, "id" | "created_at">>;

export function callRowId(options: RowsOptions, runId: RunId, callId: string): string {
  return options.rowId("cx_tool_call", `${runId}/${callId}`);
}

export function callRowsStep(
  memory: RowsMemory,
  event: CallEvent,
  run: RunState,
  options: RowsOptions,
): Step<RowsMemory, RowWrite> {
  const call = callOf(run, event.callId);
  if (!call) return { memory, outputs: [] };
  const limits = {
    maxEvents: options.maxTimelineEvents ?? 100,
    maxEventChars: options.maxTimelineEventChars ?? 2_000,
  };
  const before = memory.timelines.get(event.callId) ?? emptyTimeline;
  const timeline = timelineAfter(before, event, call, limits);
  const timelines = new Map(memory.timelines);
  if (event.type === "call.closed") timelines.delete(event.callId);
  else timelines.set(event.callId, timeline);
  const ranMs = event.type === "call.closed" && call.status === "closed" ? call.ranMs : 0;
  const next = { ...memory, timelines, toolMs: memory.toolMs + ranMs };
  const id = callRowId(options, event.runId, event.callId);
  if (event.type === "call.opened") {
    const row = openedRow(memory, event, call, timeline, id, options);
    return { memory: next, outputs: [{ table: "cx_tool_call", write: "insert", row }] };
  }
  const set = updateFor(event, call, timeline, options);
  if (!set) return { memory: next, outputs: [] };
  return { memory: next, outputs: [{ table: "cx_tool_call", write: "update", id, set }] };
}

function openedRow(
  memory: RowsMemory,
  event: EventOf<"call.opened">,
  call: CallState,
  timeline: Timeline,
  id: string,
  options: RowsOptions,
): CxToolCallRow {
  const { parentCallId } = call;
  return {
    id,
    conversation_id: memory.conversationId,
    message_id: null,
    user_id: memory.userId,
    request_id: memory.requestId,
    tool_name: call.toolName,
    tool_type: call.toolType,
    call_id: call.callId,
    status: "pending",
    arguments: {},
    amended_arguments: null,
    success: null,
    output: null,
    output_type: "text",
    is_error: false,
    error_type: null,
    error_message: null,
    duration_ms: 0,
    started_at: null,
    completed_at: null,
    input_tokens: null,
    output_tokens: null,
    total_tokens: null,
    cost_usd: null,
    iteration: call.iteration,
    retry_count: 0,
    execution_events: timelineEvents(timeline),
    parent_call_id: parentCallId ? callRowId(options, event.runId, parentCallId) : null,
    persist_key: null,
    file_path: null,
    metadata: {},
    created_at: timeOf(event.at),
    deleted_at: null,
  };
}

/** Progress is not written one by one: it is in the log, and in the timeline of the next milestone. */
function updateFor(
  event: Exclude<CallEvent, EventOf<"call.opened">>,
  call: CallState,
  timeline: Timeline,
  options: RowsOptions,
): CallUpdate | undefined {
  const execution_events = timelineEvents(timeline);
  switch (event.type) {
    case "call.input.delta":
    case "call.run.progressed":
      return undefined;
    case "call.input.closed":
      return event.parsed
        ? { arguments: event.input }
        : { metadata: unparsedMetadata(inputOf(event)) };
    case "call.input.amended":
      return { amended_arguments: event.input, execution_events };
    case "call.approval.asked":
    case "call.approval.answered":
      return { execution_events };
    case "call.run.started":
      return { status: "running", started_at: timeOf(event.at), execution_events };
    case "call.closed":
      return { ...closedUpdate(event, call, options), execution_events };
    default:
      return event satisfies never;
  }
}

function closedUpdate(
  event: EventOf<"call.closed">,
  call: CallState,
  options: RowsOptions,
): CallUpdate {
  const isOk = event.outcome === "ok";
  const text = isOk ? event.output : (event.output ?? event.message);
  const { usage } = event;
  const maxChars = options.maxOutputChars ?? 100_000;
  return {
    status: isOk ? "completed" : "error",
    success: isOk,
    output: boundedText(text, maxChars),
    output_type: isOk ? (event.outputType ?? "text") : "text",
    is_error: !isOk,
    error_type: isOk ? null : event.errorType,
    error_message: isOk ? null : boundedText(event.message, maxChars),
    duration_ms: call.status === "closed" ? call.ranMs : 0,
    completed_at: timeOf(event.at),
    ...(usage && {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      cost_usd: usage.costUsd ?? null,
    }),
    retry_count: call.status === "closed" ? call.retries : 0,
    persist_key: event.persistKey ?? null,
    file_path: event.filePath ?? null,
    ...(event.metadata && {
      metadata: {
        ...unparsedMetadata(call.status === "closed" ? call.input : undefined),
        ...event.metadata,
      },
    }),
  };
}

/** Arguments that do not parse have no place in `arguments`: their raw text is kept here. */
function unparsedMetadata(input: CallInput | undefined): JsonObject {
  if (input === undefined || input.parsed) return {};
  return { arguments_text: input.text, arguments_problem: input.problem };
}
