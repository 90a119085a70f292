/**
 * A run as a terminal shows it: words as they come, calls when something happens to them, and the calls that
 * are under way. Live runs, replays and stored sessions use it. It paints nothing and wraps nothing.
 */

import type { Usage } from "../log/events/envelope.js";
import { type CallEvent, type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { RunOutcome } from "../log/events/runEvents.js";
import type { CallId, MessageId, PartId } from "../log/ids.js";
import { messageOf, type RunState } from "../log/state.js";
import { isClosing, isReasoning, newTextOf, type TextEvent } from "../log/textEvents.js";
import type { Projection, RunChange, Step } from "./shared/projection.js";
import {
  type ClosedTerminalCall,
  changedTerminalCall,
  closedTerminalCall,
  openedTerminalCall,
  type TerminalCall,
} from "./terminal/terminalCall.js";

export type TerminalOutput =
  | { readonly type: "runStarted"; readonly model: string }
  | { readonly type: "userSaid"; readonly text: string; readonly images: number }
  /** A piece of the assistant's text or reasoning. */
  | { readonly type: "text" | "reasoning"; readonly partId: PartId; readonly chunk: string }
  /** The text or reasoning is complete: the next output starts on a new line. */
  | { readonly type: "textClosed" }
  | {
      readonly type: "callChanged";
      readonly change: TerminalCallChange;
      readonly call: TerminalCall;
    }
  | { readonly type: "callClosed"; readonly call: ClosedTerminalCall }
  | { readonly type: "status" | "error"; readonly text: string }
  | {
      readonly type: "runClosed";
      readonly outcome: RunOutcome;
      readonly reason: string | undefined;
      readonly usage: Usage;
      readonly calls: number;
      readonly tookMs: number;
    };

/** `progressed` covers arguments, progress and output: changes of a call whose state stays the same. */
export type TerminalCallChange = "opened" | "asked" | "answered" | "started" | "progressed";

interface UserMessage {
  readonly text: string;
  readonly images: number;
}

export interface TerminalMemory {
  /** The calls under way, in the order of their opening. */
  readonly calls: ReadonlyMap<CallId, TerminalCall>;
  readonly users: ReadonlyMap<MessageId, UserMessage>;
}

type TerminalStep = Step<TerminalMemory, TerminalOutput>;

export function createTerminalProjection(): Projection<TerminalMemory, TerminalOutput> {
  return { initial: { calls: new Map(), users: new Map() }, step: terminalStep };
}

function terminalStep(
  memory: TerminalMemory,
  event: RunEvent,
  { before, after: run }: RunChange,
): TerminalStep {
  if (isCallEvent(event)) return terminalCallStep(memory, event);
  const tell = (...outputs: TerminalOutput[]): TerminalStep => ({ memory, outputs });
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
      return terminalTextStep(memory, event, before, run);
    default:
      return event satisfies never;
  }
}

function runClosed(event: EventOf<"run.closed">, run: RunState): TerminalOutput {
  const { outcome, reason, usage, calls, at } = event;
  const startedAt = run.status === "unstarted" ? at : run.startedAt;
  return { type: "runClosed", outcome, reason, usage, calls, tookMs: Math.max(0, at - startedAt) };
}

function compacted(event: EventOf<"context.compacted">): readonly TerminalOutput[] {
  if (event.parentCallId !== undefined) return [];
  const { before, after } = event;
  const text = `Summarised the conversation: ${before.tokens} tokens became ${after.tokens}.`;
  return [{ type: "status", text }];
}

/** The decision of a hook is shown by the end of the call, and by the question. */
function hookFailed({
  hook,
  decision,
  problem,
}: EventOf<"hook.answered">): readonly TerminalOutput[] {
  if (problem === undefined || decision === "deny") return [];
  return [{ type: "status", text: `The hook ${hook} failed: ${problem}` }];
}

function withUser(
  memory: TerminalMemory,
  messageId: MessageId,
  run: RunState,
  change: (user: UserMessage) => UserMessage,
): TerminalStep {
  const message = messageOf(run, messageId);
  if (message?.role !== "user" || message.parentCallId !== undefined)
    return { memory, outputs: [] };
  const before = memory.users.get(messageId) ?? { text: "", images: 0 };
  const users = new Map(memory.users).set(messageId, change(before));
  return { memory: { ...memory, users }, outputs: [] };
}

function messageClosed(memory: TerminalMemory, event: EventOf<"message.closed">): TerminalStep {
  const said = memory.users.get(event.messageId);
  if (said === undefined) return { memory, outputs: [] };
  const users = new Map(memory.users);
  users.delete(event.messageId);
  return { memory: { ...memory, users }, outputs: [{ type: "userSaid", ...said }] };
}

/** A closing adds what no delta contained. The text of nested agents belongs to their call. */
function terminalTextStep(
  memory: TerminalMemory,
  event: TextEvent,
  before: RunState,
  run: RunState,
): TerminalStep {
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
  const outputs: TerminalOutput[] = chunk === "" ? [] : [{ type, partId: event.partId, chunk }];
  if (isEnd) outputs.push({ type: "textClosed" });
  return { memory, outputs };
}

function terminalCallStep(memory: TerminalMemory, event: CallEvent): TerminalStep {
  const calls = new Map(memory.calls);
  if (event.type === "call.opened") {
    const parent = event.parentCallId === undefined ? undefined : calls.get(event.parentCallId);
    const call = openedTerminalCall(event, parent);
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
    const call = closedTerminalCall(before, event);
    return { memory: { ...memory, calls }, outputs: [{ type: "callClosed", call }] };
  }
  const call = changedTerminalCall(before, event);
  if (call === before) return { memory, outputs: [] };
  calls.set(event.callId, call);
  return {
    memory: { ...memory, calls },
    outputs: [{ type: "callChanged", change: changeOf(event), call }],
  };
}

function changeOf(
  event: Exclude<CallEvent, EventOf<"call.opened" | "call.closed">>,
): TerminalCallChange {
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
