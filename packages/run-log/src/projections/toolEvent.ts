/**
 * The HTTP stream: `{ event, data, seq }` lines. Tool calls as V2 `tool_event`, as the legacy
 * `tool_update`, or both; the rest of the set as it always was. `chunk` is a string, `end` is true.
 */

import type { AgentErrorData, AgentStatusUpdate, AgentStreamEvent } from "../http/streamLines.js";
import type { ContextSize } from "../log/events/contextEvents.js";
import type { Usage } from "../log/events/envelope.js";
import { type CallEvent, type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { CallId, MessageId } from "../log/ids.js";
import { questionsOf } from "../log/questions.js";
import type { QueueEvent } from "../log/queue.js";
import { callOf, elapsedMs, messageOf, type RunState } from "../log/state.js";
import { isReasoning, newTextOf, type TextEvent } from "../log/textEvents.js";
import { nothingShown, type ShownCall, toolEventStep } from "../stages/toolEventPayload.js";
import { toolUpdatePayload } from "../stages/toolUpdatePayload.js";
import type { JsonObject } from "../values/json.js";
import { withoutUndefined } from "../values/optional.js";
import type { Projection, RunChange, Step } from "./shared/projection.js";

export interface ToolEventOptions {
  /** Which tool lines are sent. Default `v2`. */
  readonly toolEvents?: "v2" | "legacy" | "both";
  /** Sends argument text as it streams (V2 only). Default false. */
  readonly streamArguments?: boolean;
}

export interface ToolEventMemory {
  /** The assistant's latest message and its text so far. */
  readonly answer: { readonly messageId: MessageId | undefined; readonly text: string };
  readonly hasError: boolean;
  /** What was sent of the open calls. */
  readonly calls: ReadonlyMap<CallId, ShownCall>;
}

type StreamStep = Step<ToolEventMemory, AgentStreamEvent>;

const noAnswer = { messageId: undefined, text: "" };

export function createToolEventProjection(
  options: ToolEventOptions = {},
): Projection<ToolEventMemory, AgentStreamEvent> {
  return {
    initial: { answer: noAnswer, hasError: false, calls: new Map() },
    step: (memory, event, change) => toolEventsStep(memory, event, change, options),
  };
}

function toolEventsStep(
  memory: ToolEventMemory,
  event: RunEvent,
  { before, after: run }: RunChange,
  options: ToolEventOptions,
): StreamStep {
  const { seq } = event;
  const send = (...outputs: AgentStreamEvent[]): StreamStep => ({ memory, outputs });
  if (isCallEvent(event)) return toolEventCallStep(memory, event, run, options);
  switch (event.type) {
    case "run.started": {
      const metadata = { run_id: event.runId, conversation_id: event.conversationId };
      const data = { status: "connected", metadata: { ...metadata, model: event.model } };
      return send({ event: "status_update", data, seq });
    }
    case "run.closed":
      return { memory, outputs: closingLines(memory, event, run) };
    case "run.parked":
      return send({ event: "status_update", data: parkedStatus(run), seq });
    case "run.resumed":
      return send({ event: "status_update", data: { status: "resumed" }, seq });
    case "status.reported":
      return send({ event: "status_update", data: statusUpdate(event), seq });
    case "data.emitted":
      return send({ event: "data", data: event.data, seq });
    case "error.reported": {
      const outputs = [{ event: "error" as const, data: errorData(event), seq }];
      return { memory: { ...memory, hasError: true }, outputs };
    }
    case "message.opened": {
      const isAnswer = event.role === "assistant" && event.parentCallId === undefined;
      const answer = { messageId: event.messageId, text: "" };
      return { memory: isAnswer ? { ...memory, answer } : memory, outputs: [] };
    }
    case "text.delta":
    case "text.closed":
    case "reasoning.delta":
    case "reasoning.closed":
      return toolEventTextStep(memory, event, before, run);
    case "context.compacted":
      return send({ event: "status_update", data: compactionStatus(event), seq });
    case "hook.answered":
      return send({ event: "status_update", data: hookStatus(event), seq });
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
      return send({ event: "status_update", data: queueStatus(event), seq });
    case "usage.reported":
    case "message.closed":
    case "image.attached":
      return send();
    default:
      return event satisfies never;
  }
}

function toolEventTextStep(
  memory: ToolEventMemory,
  event: TextEvent,
  before: RunState,
  run: RunState,
): StreamStep {
  const { role, parentCallId } = messageOf(run, event.messageId) ?? {};
  if (isReasoning(event) || role !== "assistant" || parentCallId !== undefined) {
    return { memory, outputs: [] };
  }
  const chunk = newTextOf(event, before);
  const { messageId, text } = memory.answer;
  const answer = messageId === event.messageId ? { messageId, text: text + chunk } : memory.answer;
  const next = { ...memory, answer };
  const { seq } = event;
  return { memory: next, outputs: chunk === "" ? [] : [{ event: "chunk", data: chunk, seq }] };
}

function toolEventCallStep(
  memory: ToolEventMemory,
  event: CallEvent,
  run: RunState,
  { toolEvents = "v2", streamArguments = false }: ToolEventOptions,
): StreamStep {
  const call = callOf(run, event.callId);
  if (!call || (event.type === "call.input.delta" && !streamArguments)) {
    return { memory, outputs: [] };
  }
  const before = memory.calls.get(event.callId) ?? nothingShown;
  const { payload, shown } = toolEventStep(event, call, before);
  const outputs: AgentStreamEvent[] = [];
  const { seq } = event;
  if (payload && toolEvents !== "v2") {
    const data = toolUpdatePayload(event, payload);
    if (data) outputs.push({ event: "tool_update", data, seq });
  }
  if (payload && toolEvents !== "legacy") {
    outputs.push({ event: "tool_event", data: payload, seq });
  }
  const calls = new Map(memory.calls);
  if (event.type === "call.closed") calls.delete(event.callId);
  else calls.set(event.callId, shown);
  return { memory: { ...memory, calls }, outputs };
}

/** `end` comes on every path; `error` comes when the answer was not delivered. */
function closingLines(
  memory: ToolEventMemory,
  event: EventOf<"run.closed">,
  run: RunState,
): readonly AgentStreamEvent[] {
  const { seq, outcome, reason, calls } = event;
  const durationMs = elapsedMs(run, event.at);
  const data = {
    status: outcome === "ok" ? "complete" : outcome,
    output: memory.answer.text,
    usage: usageData(event.usage),
    metadata: { tool_calls: calls, duration_ms: durationMs, ...contextOf(run) },
  };
  const isExplained = outcome === "ok" || (outcome === "error" && memory.hasError);
  const error = { type: outcome, message: reason ?? `the run ended: ${outcome}` };
  return [
    ...(isExplained ? [] : [{ event: "error" as const, data: error, seq }]),
    { event: "data", data, seq },
    { event: "end", data: true, seq },
  ];
}

function statusUpdate(event: EventOf<"status.reported">): AgentStatusUpdate {
  const { status, systemMessage, userMessage, metadata } = event;
  return {
    status,
    ...withoutUndefined({
      system_message: systemMessage,
      user_visible_message: userMessage,
      metadata,
    }),
  };
}

/** How full the context is, as the last answer left it. */
function contextOf(run: RunState): { readonly context?: ContextSize } {
  return run.status === "unstarted" ? {} : withoutUndefined({ context: run.context });
}

function compactionStatus(event: EventOf<"context.compacted">): AgentStatusUpdate {
  const { cause, summary, before, after, parentCallId } = event;
  const metadata = {
    cause,
    summary,
    tokens_before: before.tokens,
    tokens_after: after.tokens,
    ...withoutUndefined({ window: after.window, parent_call_id: parentCallId }),
  };
  const said = `The conversation so far was summarised: ${before.tokens} tokens became ${after.tokens}.`;
  return { status: "context_compacted", user_visible_message: said, metadata };
}

/** The end of a denied call contains the reason; only a failed hook is reported here. */
function hookStatus(event: EventOf<"hook.answered">): AgentStatusUpdate {
  const { hook, moment, aboutCallId, parentCallId, decision, reason, context, problem } = event;
  const metadata = {
    hook,
    moment,
    ...withoutUndefined({ call_id: aboutCallId, parent_call_id: parentCallId }),
    ...withoutUndefined({ decision, reason, context, problem }),
  };
  const failed = problem && { user_visible_message: `The hook ${hook} failed: ${problem}` };
  return { status: "hook_answered", ...failed, metadata };
}

function parkedStatus(run: RunState): AgentStatusUpdate {
  const questions = questionsOf(run).map(({ type, callId: call_id, expiresAt, ...rest }) => ({
    type,
    call_id,
    ...("approvalId" in rest ? { approval_id: rest.approvalId } : {}),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt / 1_000 }),
  }));
  return { status: "parked", metadata: { questions } };
}

function queueStatus(event: QueueEvent): AgentStatusUpdate {
  const status = event.type.replace(".", "_");
  const message = { message_id: event.messageId };
  if (event.type === "message.unqueued") {
    const { outcome, carriedTo: carried_to } = event;
    return { status, metadata: { ...message, outcome, ...withoutUndefined({ carried_to }) } };
  }
  const { text, delivery, images = [] } = event;
  return { status, metadata: { ...message, text, delivery, images: images.length } };
}

function errorData(event: EventOf<"error.reported">): AgentErrorData {
  const { errorType: type, message, userMessage, code, details } = event;
  return {
    type,
    message,
    ...withoutUndefined({ user_visible_message: userMessage, code, details }),
  };
}

function usageData(usage: Usage): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    ...withoutUndefined({ cached_tokens: usage.cacheReadTokens, cost_usd: usage.costUsd }),
  };
}
