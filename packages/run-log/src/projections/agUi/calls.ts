/**
 * A call on AG-UI: its arguments are one bracket, its result mints a tool message, and a nested agent
 * is a subagent named by its call. It knows no messages; it never re-sends what was streamed.
 */
import { type CallState, inputTextOf } from "../../log/callState.js";
import type { Progress } from "../../log/events/callEvents.js";
import type { CallEvent, EventOf } from "../../log/events/index.js";
import type { CallId } from "../../log/ids.js";
import { callOf, messageOf, type RunState } from "../../log/state.js";
import { withoutUndefined } from "../../values/optional.js";
import type { AgUiContentPart, AgUiCustomEvent, AgUiEvent, AgUiResultMetadata } from "./events.js";

/** `before` is the run before the event, `run` the run after it. */
export function callEvents(
  event: CallEvent,
  before: RunState,
  run: RunState,
): readonly AgUiEvent[] {
  const call = callOf(run, event.callId);
  if (!call) return [];
  const toolCallId = call.callId;
  const owner = ownerOf(run, call);
  switch (event.type) {
    case "call.opened": {
      const { title, kind } = event;
      const { toolName: toolCallName, toolType, openedBy } = call;
      const metadata = { toolType, openedBy, ...withoutUndefined({ title, kind }) };
      const start = { toolCallId, toolCallName, ...holderOf(run, call), metadata };
      return [{ type: "TOOL_CALL_START", ...start, ...owner }];
    }
    case "call.input.delta":
      return [{ type: "TOOL_CALL_ARGS", toolCallId, delta: event.text, ...owner }];
    case "call.input.closed":
      return closedInputEvents(event, callOf(before, toolCallId), run, call);
    case "call.input.amended": {
      const { input, amendedBy, title } = event;
      const value = { toolCallId, input, amendedBy, ...withoutUndefined({ title }) };
      return [{ type: "CUSTOM", name: "callboard.input.amended", value, ...owner }];
    }
    case "call.approval.asked": {
      const { approvalId, options, reason, expiresAt } = event;
      const question = { toolCallId, approvalId, options };
      const value = { ...question, ...withoutUndefined({ reason, expiresAt }) };
      return [{ type: "CUSTOM", name: "callboard.approval.asked", value, ...owner }];
    }
    case "call.approval.answered": {
      const { approvalId, allowed, answeredBy, optionId, rule, message } = event;
      const answer = { toolCallId, approvalId, allowed, answeredBy };
      const value = { ...answer, ...withoutUndefined({ optionId, rule, message }) };
      return [{ type: "CUSTOM", name: "callboard.approval.answered", value, ...owner }];
    }
    case "call.run.started":
      return startEvents(run, call);
    case "call.run.progressed":
      return progressEvents(event.progress, toolCallId).map((told) => ({ ...told, ...owner }));
    case "call.closed":
      return [
        ...bracketEnds(callOf(before, toolCallId), run, callFailureOf(event)),
        resultEvent(run, call, resultContentOf(event), resultMetadataOf(event)),
      ];
    default:
      return event satisfies never;
  }
}

/** For a log whose run ended before its calls did: nothing is left for the application to answer. */
export function lostCallEvents(call: CallState, run: RunState, message: string): AgUiEvent[] {
  const errorType = "interrupted";
  return [
    ...bracketEnds(call, run, { message, errorType }),
    resultEvent(run, call, message, { outcome: "interrupted", errorType }),
  ];
}

/** Who made the call: absent for the run's own model. */
export function ownerOf(run: RunState, call: CallState): { readonly subagentRunId?: CallId } {
  const { parentCallId = messageOf(run, call.messageId)?.parentCallId } = call;
  return withoutUndefined({ subagentRunId: parentCallId });
}

/** The message with the call, if it is an answer of the agent that made the call. */
function holderOf(run: RunState, call: CallState): { readonly parentMessageId?: string } {
  const message = messageOf(run, call.messageId);
  const isHolder =
    message?.role === "assistant" && message.parentCallId === ownerOf(run, call).subagentRunId;
  return isHolder ? { parentMessageId: call.messageId } : {};
}

function closedInputEvents(
  event: EventOf<"call.input.closed">,
  before: CallState | undefined,
  run: RunState,
  call: CallState,
): readonly AgUiEvent[] {
  const { callId: toolCallId } = event;
  const owner = ownerOf(run, call);
  const streamed = before?.status === "inputStreaming" ? before.inputText : "";
  const whole = wholeTextOf(event);
  const isContinued = whole.startsWith(streamed);
  const delta = isContinued ? whole.slice(streamed.length) : "";
  const metadata = withoutUndefined({
    problem: event.parsed ? undefined : event.problem,
    arguments: isContinued ? undefined : whole,
    title: event.parsed ? event.title : undefined,
  });
  const told = Object.keys(metadata).length === 0 ? {} : { metadata };
  return [
    ...(delta === "" ? [] : [{ type: "TOOL_CALL_ARGS", toolCallId, delta, ...owner } as const]),
    { type: "TOOL_CALL_END", toolCallId, ...told, ...owner },
  ];
}

/** No text at all means no arguments, which JSON spells `{}`. */
function wholeTextOf(event: EventOf<"call.input.closed">): string {
  if (!event.parsed) return event.text;
  const { input: value, text } = event;
  const whole = inputTextOf({ parsed: true, value, ...withoutUndefined({ text }) });
  return whole.trim() === "" ? `${whole}{}` : whole;
}

/** Only an agent is announced: the protocol has no word for the execution of a tool. */
function startEvents(run: RunState, call: CallState): readonly AgUiEvent[] {
  return call.toolType === "agent" ? [startedSubagentEvent(run, call)] : [];
}

export function startedSubagentEvent(run: RunState, call: CallState): AgUiEvent {
  const { callId: subagentRunId, toolName: name } = call;
  const holder = holderOf(run, call);
  const started = { subagentRunId, name, parentToolCallId: subagentRunId, ...holder };
  const parentCallId = ownerOf(run, call).subagentRunId;
  const parent = parentCallId && callOf(run, parentCallId);
  const nesting = parent && isSubagent(parent) ? { parentSubagentRunId: parentCallId } : {};
  return { type: "SUBAGENT_STARTED", ...started, ...nesting };
}

function isSubagent(call: CallState): boolean {
  if (call.toolType !== "agent") return false;
  if (call.status === "closed") return call.startedAt !== undefined;
  return "execution" in call && call.execution !== undefined;
}

function progressEvents(progress: Progress, toolCallId: string): readonly AgUiCustomEvent[] {
  switch (progress.type) {
    case "output": {
      const value = { toolCallId, offset: progress.offset, delta: progress.text };
      return [{ type: "CUSTOM", name: "callboard.output", value }];
    }
    case "preview": {
      const value = { toolCallId, text: progress.text };
      return [{ type: "CUSTOM", name: "callboard.preview", value }];
    }
    case "message":
    case "step":
    case "heartbeat":
    case "title":
    case "locations":
    case "terminal":
    case "retry":
      return [{ type: "CUSTOM", name: "callboard.progress", value: { toolCallId, progress } }];
    default:
      return progress satisfies never;
  }
}

interface Failure {
  readonly message: string;
  readonly errorType: string;
}

function callFailureOf(event: EventOf<"call.closed">): Failure | undefined {
  return event.outcome === "ok"
    ? undefined
    : { message: event.message, errorType: event.errorType };
}

/** What is still open around a call that ends: its arguments, and the subagent that worked for it. */
function bracketEnds(
  call: CallState | undefined,
  run: RunState,
  failure: Failure | undefined,
): readonly AgUiEvent[] {
  if (!call) return [];
  const { callId } = call;
  if (call.status === "inputStreaming") {
    return [{ type: "TOOL_CALL_END", toolCallId: callId, ...ownerOf(run, call) }];
  }
  if (!isSubagent(call)) return [];
  if (!failure) return [{ type: "SUBAGENT_FINISHED", subagentRunId: callId }];
  const { message, errorType: code } = failure;
  return [{ type: "SUBAGENT_ERROR", subagentRunId: callId, message, code }];
}

function resultEvent(
  run: RunState,
  call: CallState,
  content: string | readonly AgUiContentPart[],
  metadata: AgUiResultMetadata,
): AgUiEvent {
  const { callId: toolCallId } = call;
  const messageId = `${call.messageId}/${toolCallId}`;
  const result = { messageId, toolCallId, role: "tool", content, metadata } as const;
  return { type: "TOOL_CALL_RESULT", ...result, ...ownerOf(run, call) };
}

function resultContentOf(event: EventOf<"call.closed">): string | readonly AgUiContentPart[] {
  const text = event.outcome === "ok" ? event.output : event.message;
  if (event.images === undefined || event.images.length === 0) return text;
  const pictures = event.images.map(({ data: value, mediaType: mimeType = "image/png" }) => ({
    type: "image" as const,
    source: { type: "data" as const, value, mimeType },
  }));
  return [...(text === "" ? [] : [{ type: "text" as const, text }]), ...pictures];
}

function resultMetadataOf(event: EventOf<"call.closed">): AgUiResultMetadata {
  const { outcome, summary, exitCode, filePath, persistKey, diffs } = event;
  const failure =
    event.outcome === "ok" ? {} : { errorType: event.errorType, partialOutput: event.output };
  return {
    outcome,
    ...withoutUndefined({ ...failure, summary, exitCode, filePath, persistKey, diffs }),
  };
}
