/**
 * The `stream-json` output: one line for each thing that happens in a run, for programs. A call has one
 * `start`, any number of `streaming` and `running`, and one `end` with its outcome and its times. Only
 * new text travels while it comes; the `end` of a text carries all of it.
 */
import { type CallEvent, type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import { questionsOf } from "../log/questions.js";
import { callOf, elapsedMs, messageOf, type RunState } from "../log/state.js";
import type { Projection } from "./shared/projection.js";

export interface StreamLine {
  readonly type:
    | "run"
    | "text"
    | "reasoning"
    | "image"
    | "call"
    | "status"
    | "error"
    | "usage"
    | "data"
    | "queue"
    | "compaction"
    | "hook"
    | "parked"
    | "resumed";
  readonly stage?: "start" | "streaming" | "running" | "end";
  readonly [field: string]: unknown;
}

export interface StreamJsonOptions {
  readonly sessionId: string;
}

export function createStreamJsonProjection({
  sessionId,
}: StreamJsonOptions): Projection<undefined, StreamLine> {
  return {
    initial: undefined,
    step(memory, event, { after: run }) {
      const line = isCallEvent(event) ? callLine(event, run) : runLine(event, run, sessionId);
      return { memory, outputs: line === undefined ? [] : [line] };
    },
  };
}

type OtherEvent = Exclude<RunEvent, CallEvent>;

function runLine(event: OtherEvent, run: RunState, sessionId: string): StreamLine | undefined {
  const { v: _, type, runId, seq, at, ...rest } = event;
  const place = { runId, seq, at };
  switch (event.type) {
    case "run.started":
      return { type: "run", stage: "start", ...place, sessionId, model: event.model };
    case "run.closed": {
      const { outcome, reason, usage, calls } = event;
      const durationMs = elapsedMs(run, at);
      return { type: "run", stage: "end", ...place, outcome, reason, calls, usage, durationMs };
    }
    case "message.opened":
    case "message.closed":
      return undefined;
    case "text.delta":
    case "reasoning.delta": {
      const { role, parentCallId } = messageOf(run, event.messageId) ?? {};
      if (role === "user") return undefined;
      const { messageId, offset, text } = event;
      const kind = event.type === "text.delta" ? "text" : "reasoning";
      return { type: kind, stage: "streaming", ...place, messageId, parentCallId, offset, text };
    }
    case "text.closed":
    case "reasoning.closed": {
      const { role, parentCallId } = messageOf(run, event.messageId) ?? {};
      const { messageId, text } = event;
      const kind = event.type === "text.closed" ? "text" : "reasoning";
      return { type: kind, stage: "end", ...place, messageId, parentCallId, role, text };
    }
    case "image.attached":
      return { type: "image", ...place, messageId: event.messageId, image: event.image };
    case "run.parked":
      return { type: "parked", ...place, questions: questionsOf(run) };
    case "run.resumed":
      return { type: "resumed", ...place };
    case "status.reported":
      return { type: "status", ...place, ...rest };
    case "error.reported":
      return { type: "error", ...place, ...rest };
    case "usage.reported":
      return { type: "usage", ...place, ...rest };
    case "data.emitted":
      return { type: "data", ...place, ...rest };
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
      return { type: "queue", ...place, change: type.slice("message.".length), ...rest };
    case "context.compacted":
      return { type: "compaction", ...place, ...rest };
    case "hook.answered":
      return { type: "hook", ...place, ...rest };
    default:
      return event satisfies never;
  }
}

function callLine(event: CallEvent, run: RunState): StreamLine {
  const call = callOf(run, event.callId);
  const { runId, seq, at, callId } = event;
  const place = { runId, seq, at, callId, parentCallId: call?.parentCallId };
  switch (event.type) {
    case "call.opened": {
      const { toolName: tool, toolType, kind, title } = event;
      return { type: "call", stage: "start", ...place, tool, toolType, kind, title };
    }
    case "call.input.delta": {
      const { offset, text } = event;
      return { type: "call", stage: "streaming", ...place, offset, arguments: text };
    }
    case "call.input.closed":
      return { type: "call", stage: "streaming", ...place, ...inputFields(event) };
    case "call.input.amended": {
      const { input: amendedInput, amendedBy, title, locations } = event;
      const amended = { amendedInput, amendedBy, title, locations };
      return { type: "call", stage: "running", ...place, ...amended };
    }
    case "call.approval.asked": {
      const { approvalId, options, reason, expiresAt } = event;
      const approval = { approvalId, options, reason, expiresAt };
      return { type: "call", stage: "running", ...place, approval };
    }
    case "call.approval.answered": {
      const { approvalId, allowed, answeredBy, optionId, rule, message } = event;
      const answer = { approvalId, allowed, answeredBy, optionId, rule, message };
      return { type: "call", stage: "running", ...place, answer };
    }
    case "call.run.started":
      return { type: "call", stage: "running", ...place };
    case "call.run.progressed": {
      const { progress } = event;
      if (progress.type !== "output") return { type: "call", stage: "running", ...place, progress };
      const { offset, text: output } = progress;
      return { type: "call", stage: "streaming", ...place, offset, output };
    }
    case "call.closed":
      return { type: "call", stage: "end", ...place, ...endFields(event, run) };
    default:
      return event satisfies never;
  }
}

function inputFields(event: EventOf<"call.input.closed">): Readonly<Record<string, unknown>> {
  if (!event.parsed) return { input: null, arguments_text: event.text, problem: event.problem };
  const { input, title, locations } = event;
  return { input, title, locations };
}

function endFields(
  event: EventOf<"call.closed">,
  run: RunState,
): Readonly<Record<string, unknown>> {
  const { v: _, type: __, runId: ___, seq: ____, at: _____, callId, ...closing } = event;
  const call = callOf(run, callId);
  const times =
    call?.status === "closed"
      ? { durationMs: call.ranMs, waitedMs: call.waitedMs }
      : { durationMs: 0, waitedMs: 0 };
  return { tool: call?.toolName, ...times, ...closing };
}
