/**
 * The fold. `admit` applies one event to the state and returns the part of the event that is new and its faults;
 * `evolve` returns only the state. Both are pure and total: any event after any state gives a result.
 */
import { withoutUndefined } from "../values/optional.js";
import { admittedCall } from "./admittedCall.js";
import type { ContextSize } from "./events/contextEvents.js";
import { type EventOf, isCallEvent, type RunEvent } from "./events/index.js";
import type { Fault } from "./faults.js";
import { grownBy } from "./grownText.js";
import { faultsOf } from "./laws.js";
import { withOpen, withSettled } from "./ledger.js";
import { withQueueEvent } from "./queue.js";
import { bodyOf, callOf, messageOf, type OpenRun, partOf, type RunState } from "./state.js";
import { addUsage } from "./usage.js";

/** The result of admitting an event: the next state, the part of the event that is new, and its faults. */
export interface Admission {
  readonly state: RunState;
  /** The event as surfaces should see it: a delta trimmed to its unseen part, or nothing at all. */
  readonly event: RunEvent | undefined;
  readonly faults: readonly Fault[];
}

/** Takes an event into the state. The fold of a log is `events.reduce(evolve, initialState)`. */
export function evolve(state: RunState, event: RunEvent): RunState {
  return admit(state, event).state;
}

const noFaults: readonly Fault[] = [];

/** Takes an event into the state. Reports the faults of an event that does not fit. */
export function admit(state: RunState, event: RunEvent): Admission {
  const grown = grownBy(state, event);
  if (grown) return { state: grown, event, faults: noFaults };
  const faults = faultsOf(state, event);
  const faultCount = state.faultCount + faults.length;
  if (faults.length > 0 && faults.some((fault) => fault.ignored)) {
    // An event before the start, or from another log, has no position in this log.
    const isPlaced = state.status !== "unstarted" && state.runId === event.runId;
    const seq = isPlaced ? Math.max(state.seq, event.seq) : state.seq;
    return { state: { ...state, seq, faultCount }, event: undefined, faults };
  }
  const news = newsOf(state, event);
  const next = news === undefined ? state : applied(state, news);
  return { state: { ...next, seq: event.seq, faultCount }, event: news, faults };
}

/** The text that a delta adds to the existing text. Applying one twice is harmless. */
function newsOf(state: RunState, event: RunEvent): RunEvent | undefined {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta": {
      const part = partOf(state, event.partId);
      return trimmed(event, part?.status === "open" ? part.text.length : 0);
    }
    case "call.input.delta": {
      const call = callOf(state, event.callId);
      return trimmed(event, call?.status === "inputStreaming" ? call.inputText.length : 0);
    }
    case "call.run.progressed": {
      const call = callOf(state, event.callId);
      if (event.progress.type !== "output" || call?.status !== "running") return event;
      const progress = trimmed(event.progress, call.execution.outputText.length);
      return progress && { ...event, progress };
    }
    default:
      return event;
  }
}

function trimmed<Delta extends { readonly offset: number; readonly text: string }>(
  delta: Delta,
  length: number,
): Delta | undefined {
  if (delta.offset === length) return delta.text === "" ? undefined : delta;
  const text = delta.text.slice(length - delta.offset);
  return text === "" ? undefined : { ...delta, offset: length, text };
}

function applied(state: RunState, event: RunEvent): RunState {
  if (event.type === "run.started") {
    const { runId, conversationId, model, at, seq, traceparent } = event;
    const trace = withoutUndefined({ traceparent });
    return bodyOf({ runId, conversationId, model, startedAt: at, seq, faultCount: 0, ...trace });
  }
  return state.status === "open" ? appliedToOpenRun(atWork(state, event), event) : state;
}

/** Any event in a parked run, except those of its queue, shows that a process owns it again. */
function atWork(state: OpenRun, event: RunEvent): OpenRun {
  if (state.parkedAt === undefined || event.type.startsWith("message.")) return state;
  const { parkedAt: _, ...rest } = state;
  return rest;
}

function appliedToOpenRun(
  state: OpenRun,
  event: Exclude<RunEvent, EventOf<"run.started">>,
): RunState {
  if (isCallEvent(event)) return admittedCall(state, event);
  switch (event.type) {
    case "run.closed":
      return { ...state, status: "closed", outcome: event.outcome, closedAt: event.at };
    case "run.parked":
      return { ...state, parkedAt: event.at };
    case "run.resumed":
    case "status.reported":
    case "data.emitted":
    case "error.reported":
    case "hook.answered":
      return state;
    case "usage.reported":
      return withContext({ ...state, usage: addUsage(state.usage, event.usage) }, event.context);
    case "context.compacted":
      return event.parentCallId === undefined ? withContext(state, event.after) : state;
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
      return withQueueEvent(state, event);
    case "message.opened": {
      const { messageId, role, parentCallId } = event;
      const message = { status: "open" as const, messageId, role };
      const nested = parentCallId === undefined ? message : { ...message, parentCallId };
      return { ...state, messages: withOpen(state.messages, messageId, nested) };
    }
    case "message.closed": {
      const message = messageOf(state, event.messageId);
      if (!message) return state;
      const closed = { ...message, status: "closed" as const };
      return { ...state, messages: withSettled(state.messages, event.messageId, closed) };
    }
    case "text.delta":
      return withPartText(state, event, "text");
    case "reasoning.delta":
      return withPartText(state, event, "reasoning");
    case "text.closed":
      return withClosedPart(state, event, "text");
    case "reasoning.closed":
      return withClosedPart(state, event, "reasoning");
    case "image.attached":
      return withClosedPart(state, event, "image");
    default:
      return event satisfies never;
  }
}

function withContext(state: OpenRun, context: ContextSize | undefined): OpenRun {
  return context === undefined ? state : { ...state, context };
}

function withPartText(
  state: OpenRun,
  event: EventOf<"text.delta" | "reasoning.delta">,
  kind: "text" | "reasoning",
): OpenRun {
  const part = partOf(state, event.partId);
  const open =
    part?.status === "open"
      ? { ...part, text: part.text + event.text }
      : {
          status: "open" as const,
          messageId: event.messageId,
          kind,
          startedAt: event.at,
          text: event.text,
        };
  const message = messageOf(state, event.messageId);
  const messages =
    message && message.openPartId !== event.partId
      ? withOpen(state.messages, event.messageId, { ...message, openPartId: event.partId })
      : state.messages;
  return { ...state, messages, parts: withOpen(state.parts, event.partId, open) };
}

function withClosedPart(
  state: OpenRun,
  event: EventOf<"text.closed" | "reasoning.closed" | "image.attached">,
  kind: "text" | "reasoning" | "image",
): OpenRun {
  const closed = { status: "closed" as const, messageId: event.messageId, kind };
  const parts = withSettled(state.parts, event.partId, closed);
  const message = messageOf(state, event.messageId);
  if (message?.openPartId !== event.partId) return { ...state, parts };
  const { openPartId: _, ...rest } = message;
  return { ...state, parts, messages: withOpen(state.messages, event.messageId, rest) };
}
