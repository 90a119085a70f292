/**
 * A run as a terminal tells it: words as they come, calls when something happens to them, and the calls
 * that are under way. One projection for live runs, replays and stored sessions; it paints nothing.
 */
import {
  type CallEvent,
  type CallId,
  callOf,
  type EventOf,
  isCallEvent,
  type MessageId,
  messageOf,
  type RunOutcome,
  type RunState,
  type Usage,
} from "@callboard/run-log";
import {
  isClosing,
  isReasoning,
  newTextOf,
  type Projection,
  type Step,
  type TextEvent,
} from "@callboard/run-log/projections";
import { type CallView, type ClosedCall, closedView, openedView, viewAfter } from "./callView.js";

export type ViewOutput =
  | { readonly type: "runStarted"; readonly model: string }
  | { readonly type: "userSaid"; readonly text: string; readonly images: number }
  /** A piece of what the assistant says or thinks. */
  | { readonly type: "text" | "reasoning"; readonly chunk: string }
  /** The text or thought is complete: what follows begins on a line of its own. */
  | { readonly type: "textClosed" }
  | { readonly type: "callChanged"; readonly change: CallChange; readonly call: CallView }
  | { readonly type: "callClosed"; readonly call: ClosedCall }
  | { readonly type: "status" | "error"; readonly text: string }
  | {
      readonly type: "runClosed";
      readonly outcome: RunOutcome;
      readonly reason: string | undefined;
      readonly usage: Usage;
      readonly calls: number;
      readonly tookMs: number;
    };

/** `progressed` covers arguments, progress and output: news of a call that stays where it is. */
export type CallChange = "opened" | "asked" | "answered" | "started" | "progressed";

interface UserMessage {
  readonly text: string;
  readonly images: number;
}

export interface RunViewMemory {
  /** The calls under way, in the order of their opening. */
  readonly calls: ReadonlyMap<CallId, CallView>;
  readonly users: ReadonlyMap<MessageId, UserMessage>;
}

type ViewStep = Step<RunViewMemory, ViewOutput>;

export const runViewProjection: Projection<RunViewMemory, ViewOutput> = {
  initial: { calls: new Map(), users: new Map() },
  step(memory, event, { before, after: run }) {
    if (isCallEvent(event)) return callStep(memory, event, run);
    const tell = (...outputs: ViewOutput[]): ViewStep => ({ memory, outputs });
    switch (event.type) {
      case "run.started":
        return tell({ type: "runStarted", model: event.model });
      case "run.closed":
        return tell(runClosed(event, run));
      case "status.reported":
        return tell({
          type: "status",
          text: event.userMessage ?? event.systemMessage ?? event.status,
        });
      case "error.reported":
        return tell({ type: "error", text: event.userMessage ?? event.message });
      case "context.compacted":
        return tell(...compacted(event));
      case "hook.answered":
        return tell(...hookFailed(event));
      case "run.parked":
      case "run.resumed":
      case "message.queued":
      case "message.requeued":
      case "message.unqueued":
      case "data.emitted":
      case "usage.reported":
      case "message.opened":
        return tell();
      case "message.closed":
        return messageClosed(memory, event);
      case "image.attached":
        return withUser(memory, event.messageId, run, ({ text, images }) => ({
          text,
          images: images + 1,
        }));
      case "text.delta":
      case "reasoning.delta":
      case "text.closed":
      case "reasoning.closed":
        return textStep(memory, event, before, run);
      default:
        return event satisfies never;
    }
  },
};

function runClosed(event: EventOf<"run.closed">, run: RunState): ViewOutput {
  const { outcome, reason, usage, calls, at } = event;
  const startedAt = run.status === "unstarted" ? at : run.startedAt;
  return { type: "runClosed", outcome, reason, usage, calls, tookMs: Math.max(0, at - startedAt) };
}

function compacted(event: EventOf<"context.compacted">): readonly ViewOutput[] {
  if (event.parentCallId !== undefined) return [];
  const { before, after } = event;
  const text = `Summarised the conversation: ${before.tokens} tokens became ${after.tokens}.`;
  return [{ type: "status", text }];
}

/** What a hook decided is told by the end of the call, and by the question. */
function hookFailed({ hook, decision, problem }: EventOf<"hook.answered">): readonly ViewOutput[] {
  if (problem === undefined || decision === "deny") return [];
  return [{ type: "status", text: `The hook ${hook} failed: ${problem}` }];
}

function withUser(
  memory: RunViewMemory,
  messageId: MessageId,
  run: RunState,
  change: (user: UserMessage) => UserMessage,
): ViewStep {
  const message = messageOf(run, messageId);
  if (message?.role !== "user" || message.parentCallId !== undefined)
    return { memory, outputs: [] };
  const before = memory.users.get(messageId) ?? { text: "", images: 0 };
  const users = new Map(memory.users).set(messageId, change(before));
  return { memory: { ...memory, users }, outputs: [] };
}

function messageClosed(memory: RunViewMemory, event: EventOf<"message.closed">): ViewStep {
  const said = memory.users.get(event.messageId);
  if (said === undefined) return { memory, outputs: [] };
  const users = new Map(memory.users);
  users.delete(event.messageId);
  return { memory: { ...memory, users }, outputs: [{ type: "userSaid", ...said }] };
}

/** A closing tells what no delta told. What nested agents say belongs to their call. */
function textStep(
  memory: RunViewMemory,
  event: TextEvent,
  before: RunState,
  run: RunState,
): ViewStep {
  const message = messageOf(run, event.messageId);
  if (message === undefined || message.parentCallId !== undefined) return { memory, outputs: [] };
  const isEnd = isClosing(event);
  if (message.role === "user") {
    if (!isEnd) return { memory, outputs: [] };
    return withUser(memory, event.messageId, run, ({ text, images }) => ({
      text: text + event.text,
      images,
    }));
  }
  const chunk = newTextOf(event, before);
  const type = isReasoning(event) ? "reasoning" : "text";
  const outputs: ViewOutput[] = chunk === "" ? [] : [{ type, chunk }];
  if (isEnd) outputs.push({ type: "textClosed" });
  return { memory, outputs };
}

function callStep(memory: RunViewMemory, event: CallEvent, run: RunState): ViewStep {
  const calls = new Map(memory.calls);
  if (event.type === "call.opened") {
    const parent = event.parentCallId === undefined ? undefined : calls.get(event.parentCallId);
    const call = openedView(event, parent);
    calls.set(event.callId, call);
    return {
      memory: { ...memory, calls },
      outputs: [{ type: "callChanged", change: "opened", call }],
    };
  }
  const before = calls.get(event.callId);
  if (before === undefined) return { memory, outputs: [] };
  if (event.type === "call.closed") {
    calls.delete(event.callId);
    const call = closedView(before, event, callOf(run, event.callId));
    return { memory: { ...memory, calls }, outputs: [{ type: "callClosed", call }] };
  }
  const call = viewAfter(before, event);
  if (call === before && event.type === "call.run.progressed") return { memory, outputs: [] };
  calls.set(event.callId, call);
  return {
    memory: { ...memory, calls },
    outputs: [{ type: "callChanged", change: changeOf(event), call }],
  };
}

function changeOf(event: Exclude<CallEvent, EventOf<"call.opened" | "call.closed">>): CallChange {
  switch (event.type) {
    case "call.approval.asked":
      return "asked";
    case "call.approval.answered":
      return "answered";
    case "call.run.started":
      return "started";
    case "call.input.delta":
    case "call.input.closed":
    case "call.input.amended":
    case "call.run.progressed":
      return "progressed";
    default:
      return event satisfies never;
  }
}
