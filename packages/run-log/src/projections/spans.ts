/**
 * OpenTelemetry GenAI spans as plain data: `invoke_agent`, `chat` and `execute_tool`. A span is emitted when what it
 * measures has ended. Ids are keys of the log; the exporter maps them to span ids. Arguments and results are omitted
 * unless an option requests them.
 */

import { inputTextOf } from "../log/callState.js";
import type { Usage } from "../log/events/envelope.js";
import { type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { MessageId } from "../log/ids.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import type { Projection, Step } from "./shared/projection.js";

export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

export interface SpanRecord {
  /** Unique in the run: `run`, `message <id>` or `call <id>`. */
  readonly key: string;
  readonly parentKey?: string;
  /** On the span of a nested run: the run and the call that it works for. */
  readonly link?: { readonly runId: string; readonly callId: string };
  readonly runId: string;
  /** The span that the run works for, if it is in a trace. */
  readonly traceparent?: string;
  readonly name: string;
  readonly kind: "client" | "internal";
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly endTime: number;
  readonly attributes: SpanAttributes;
  readonly status: { readonly code: "ok" | "error"; readonly message?: string };
  /** The events of the span, with their times. */
  readonly events?: readonly { readonly name: string; readonly time: number }[];
}

export interface SpansOptions {
  /** Puts arguments and results on `execute_tool` spans. Default false: they may hold secrets. */
  readonly captureContent?: boolean;
}

interface OpenChat {
  readonly startTime: number;
  readonly model: string;
  readonly usage?: Usage;
  /** The reason why the answer broke off. */
  readonly error?: string;
}

export interface SpansMemory {
  readonly started: EventOf<"run.started"> | undefined;
  readonly chats: ReadonlyMap<MessageId, OpenChat>;
}

type SpansStep = Step<SpansMemory, SpanRecord>;

export function createSpansProjection(
  options: SpansOptions = {},
): Projection<SpansMemory, SpanRecord> {
  return {
    initial: { started: undefined, chats: new Map() },
    step(memory, event, { after }) {
      const { memory: next, outputs } = spansStep(memory, event, after, options);
      const { traceparent } = next.started ?? {};
      if (traceparent === undefined || outputs.length === 0) return { memory: next, outputs };
      return { memory: next, outputs: outputs.map((span) => ({ ...span, traceparent })) };
    },
  };
}

/**
 * A span of zero length inside the span of a call, when the call opens. The span of the call itself is emitted when the
 * call has ended: until then this one shows that it has started.
 */
export function openedCallSpan(
  { callId, runId, toolName, at }: EventOf<"call.opened">,
  traceparent: string | undefined,
): SpanRecord {
  return {
    key: `opened ${callId}`,
    parentKey: `call ${callId}`,
    runId,
    ...withoutUndefined({ traceparent }),
    name: `${toolName} opened`,
    kind: "internal",
    startTime: at,
    endTime: at,
    attributes: { "gen_ai.tool.name": toolName, "gen_ai.tool.call.id": callId },
    status: { code: "ok" },
    events: [{ name: "call.opened", time: at }],
  };
}

function spansStep(
  memory: SpansMemory,
  event: RunEvent,
  run: RunState,
  options: SpansOptions,
): SpansStep {
  if (isCallEvent(event)) {
    const outputs = event.type === "call.closed" ? [toolSpan(event, run, options)] : [];
    if (event.type !== "call.opened" || event.openedBy !== "limit") return { memory, outputs };
    // The message with a limit's question is not an answer of a model.
    const chats = new Map(memory.chats);
    chats.delete(event.messageId);
    return { memory: { ...memory, chats }, outputs };
  }
  switch (event.type) {
    case "run.started":
      return { memory: { ...memory, started: event }, outputs: [] };
    case "message.opened":
      return chatOpened(memory, event);
    case "usage.reported":
      return chatMeasured(memory, event);
    case "message.closed":
      return chatClosed(memory, event, run);
    case "error.reported":
      return chatsBroken(memory, event);
    case "run.closed":
      return { memory, outputs: memory.started ? [agentSpan(memory.started, event)] : [] };
    case "run.parked":
    case "run.resumed":
    case "status.reported":
    case "data.emitted":
    case "text.delta":
    case "text.closed":
    case "reasoning.delta":
    case "reasoning.closed":
    case "image.attached":
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
    case "context.compacted":
    case "hook.answered":
      return { memory, outputs: [] };
    default:
      return event satisfies never;
  }
}

function chatOpened(memory: SpansMemory, event: EventOf<"message.opened">): SpansStep {
  if (event.role !== "assistant") return { memory, outputs: [] };
  const chat = { startTime: event.at, model: memory.started?.model ?? "" };
  const chats = new Map(memory.chats).set(event.messageId, chat);
  return { memory: { ...memory, chats }, outputs: [] };
}

function chatMeasured(memory: SpansMemory, event: EventOf<"usage.reported">): SpansStep {
  const chat = event.messageId && memory.chats.get(event.messageId);
  if (!event.messageId || !chat) return { memory, outputs: [] };
  const measured = { ...chat, usage: event.usage, model: event.model ?? chat.model };
  const chats = new Map(memory.chats).set(event.messageId, measured);
  return { memory: { ...memory, chats }, outputs: [] };
}

function chatClosed(
  memory: SpansMemory,
  event: EventOf<"message.closed">,
  run: RunState,
): SpansStep {
  const chat = memory.chats.get(event.messageId);
  if (!chat) return { memory, outputs: [] };
  const chats = new Map(memory.chats);
  chats.delete(event.messageId);
  const parentCallId = messageOf(run, event.messageId)?.parentCallId;
  const span: SpanRecord = {
    key: `message ${event.messageId}`,
    parentKey: parentCallId === undefined ? "run" : `call ${parentCallId}`,
    runId: event.runId,
    name: `chat ${chat.model}`,
    kind: "client",
    startTime: chat.startTime,
    endTime: event.at,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": chat.model,
      ...(event.finishReason === undefined
        ? {}
        : { "gen_ai.response.finish_reasons": [event.finishReason] }),
      ...(chat.usage ? usageAttributes(chat.usage) : {}),
    },
    status: chat.error === undefined ? { code: "ok" } : { code: "error", message: chat.error },
  };
  return { memory: { ...memory, chats }, outputs: [span] };
}

function chatsBroken(memory: SpansMemory, event: EventOf<"error.reported">): SpansStep {
  const chats = new Map(
    [...memory.chats].map(([id, chat]) => [id, { ...chat, error: event.message }]),
  );
  return { memory: { ...memory, chats }, outputs: [] };
}

function usageAttributes(usage: Usage): SpanAttributes {
  return {
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    ...withoutUndefined({
      "gen_ai.usage.cache_read.input_tokens": usage.cacheReadTokens,
      "callboard.cost_usd": usage.costUsd,
    }),
  };
}

/** Starts when execution starts, since it measures the tool; the wait before is an attribute. */
function toolSpan(
  event: EventOf<"call.closed">,
  run: RunState,
  { captureContent = false }: SpansOptions,
): SpanRecord {
  const call = callOf(run, event.callId);
  const closed = call?.status === "closed" ? call : undefined;
  const toolName = call?.toolName ?? "";
  const isOk = event.outcome === "ok";
  const content = {
    ...(closed?.input ? { "gen_ai.tool.call.arguments": inputTextOf(closed.input) } : {}),
    ...(closed?.amendedInput
      ? { "callboard.amended_arguments": JSON.stringify(closed.amendedInput.value) }
      : {}),
    ...withoutUndefined({ "gen_ai.tool.call.result": event.output }),
  };
  return {
    key: `call ${event.callId}`,
    parentKey: call?.parentCallId === undefined ? "run" : `call ${call.parentCallId}`,
    runId: event.runId,
    name: `execute_tool ${toolName}`,
    kind: "internal",
    startTime: closed?.startedAt ?? event.at,
    endTime: event.at,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": toolName,
      "gen_ai.tool.call.id": event.callId,
      "gen_ai.tool.type": call?.toolType === "external_mcp" ? "extension" : "function",
      "callboard.outcome": event.outcome,
      "callboard.waited_ms": closed?.waitedMs ?? 0,
      "callboard.ran_ms": closed?.ranMs ?? 0,
      ...(closed?.amendedInput ? { "callboard.amended_by": closed.amendedInput.by } : {}),
      ...(isOk ? {} : { "error.type": event.errorType }),
      ...(event.usage ? usageAttributes(event.usage) : {}),
      ...(captureContent ? content : {}),
    },
    status: isOk ? { code: "ok" } : { code: "error", message: event.message },
  };
}

function agentSpan(started: EventOf<"run.started">, event: EventOf<"run.closed">): SpanRecord {
  const isOk = event.outcome === "ok";
  const name = started.agent === undefined ? "invoke_agent" : `invoke_agent ${started.agent}`;
  return {
    key: "run",
    ...withoutUndefined({ link: started.parent }),
    runId: event.runId,
    name,
    kind: "internal",
    startTime: started.at,
    endTime: event.at,
    attributes: {
      "gen_ai.operation.name": "invoke_agent",
      ...withoutUndefined({ "gen_ai.agent.name": started.agent }),
      "gen_ai.conversation.id": started.conversationId,
      "gen_ai.request.model": started.model,
      "callboard.outcome": event.outcome,
      ...(isOk ? {} : { "error.type": event.outcome }),
      ...usageAttributes(event.usage),
    },
    status: isOk
      ? { code: "ok" }
      : { code: "error", ...withoutUndefined({ message: event.reason }) },
  };
}
