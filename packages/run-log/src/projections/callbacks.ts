/**
 * The surface of the SDK: which callback gets which parameters. It calls nothing; the SDK does, and logs a callback that
 * throws. Accumulated texts are ropes: passing them on costs nothing.
 */

import { commandOf, isCommand, printedOutput } from "../calls/command.js";
import type { Image } from "../log/events/envelope.js";
import { type CallEvent, type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { CallId, MessageId } from "../log/ids.js";
import { questionsOf } from "../log/questions.js";
import { queueOf } from "../log/queue.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import { isReasoning, newTextOf, type TextEvent } from "../log/textEvents.js";
import { type CompactParams, createCompactStages } from "../stages/shortForms.js";
import type { StageMemory, Stages } from "../stages/stageParams.js";
import { withoutUndefined } from "../values/optional.js";
import type { ApprovalRequest, CallbackCall } from "./callbacks/callbackCall.js";
import type { Projection, RunChange, Step } from "./shared/projection.js";

interface OpenMessage {
  readonly text: string;
  readonly reasoning: string;
  readonly images: readonly Image[];
}

interface Command {
  readonly command: string;
  /** How much of its output was sent. */
  readonly told: number;
}

export interface CallbacksMemory {
  readonly stages: StageMemory;
  readonly messages: ReadonlyMap<MessageId, OpenMessage>;
  readonly commands: ReadonlyMap<CallId, Command>;
}

export interface CallbacksOptions {
  readonly compactParams?: CompactParams;
  /** The stages that this projection shares with another one. Default its own, by `compactParams`. */
  readonly stages?: Stages;
}

type CallbacksStep = Step<CallbacksMemory, CallbackCall>;

const nothing: readonly CallbackCall[] = [];
const emptyMessage: OpenMessage = { text: "", reasoning: "", images: [] };

export function createCallbacksProjection(
  options: CallbacksOptions = {},
): Projection<CallbacksMemory, CallbackCall> {
  const stages = options.stages ?? createCompactStages(options.compactParams);
  return {
    initial: { stages: stages.initial, messages: new Map(), commands: new Map() },
    step: (memory, event, change) => callbacksStep(memory, event, change, stages),
  };
}

function callbacksStep(
  memory: CallbacksMemory,
  event: RunEvent,
  { before, after: run }: RunChange,
  stages: Stages,
): CallbacksStep {
  const tell = (...outputs: CallbackCall[]): CallbacksStep => ({ memory, outputs });
  if (isCallEvent(event)) {
    const call = callOf(run, event.callId);
    return call && isCommand(call)
      ? commandStep(memory, event, run)
      : callbackCallStep(memory, event, run, stages);
  }
  switch (event.type) {
    case "run.started":
      return tell();
    case "run.closed": {
      const { outcome, reason } = event;
      return tell({
        callback: "onRunClosed",
        outcome,
        ...withoutUndefined({ reason }),
      });
    }
    case "run.parked":
      return tell({ callback: "onRunParked", questions: questionsOf(run) });
    case "run.resumed":
      return tell({ callback: "onRunResumed" });
    case "status.reported": {
      const message = event.userMessage ?? event.systemMessage;
      return tell({
        callback: "onStatusReported",
        status: event.status,
        ...withoutUndefined({ message, metadata: event.metadata }),
      });
    }
    case "data.emitted":
      return tell({ callback: "onDataEmitted", data: event.data });
    case "error.reported":
      return tell({ callback: "onErrorBlockAdded", error: event.message });
    case "usage.reported": {
      if (run.status === "unstarted") return tell();
      const { context } = event;
      const full = context && { callback: "onContextChanged" as const, context };
      return tell({ callback: "onUsageChanged", usage: run.usage }, ...(full ? [full] : []));
    }
    case "context.compacted": {
      if (event.parentCallId !== undefined) return tell();
      const { cause, summary, before, after } = event;
      const compaction = { cause, summary, before, after };
      return tell(
        { callback: "onContextCompacted", compaction },
        { callback: "onContextChanged", context: after },
      );
    }
    case "hook.answered":
      return tell();
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
      return tell({ callback: "onQueueChanged", queue: queueOf(run) });
    case "message.opened": {
      const messages = new Map(memory.messages).set(event.messageId, emptyMessage);
      const isNew = event.role === "assistant" && event.parentCallId === undefined;
      return {
        memory: { ...memory, messages },
        outputs: isNew ? [{ callback: "onAssistantMessageAdded" }] : nothing,
      };
    }
    case "message.closed":
      return messageClosed(memory, event, run);
    case "text.delta":
    case "reasoning.delta":
    case "text.closed":
    case "reasoning.closed":
      return callbackTextStep(memory, event, before, run);
    case "image.attached":
      return withImage(memory, event);
    default:
      return event satisfies never;
  }
}

function withImage(memory: CallbacksMemory, event: EventOf<"image.attached">): CallbacksStep {
  const message = memory.messages.get(event.messageId) ?? emptyMessage;
  const images = [...message.images, event.image];
  const messages = new Map(memory.messages).set(event.messageId, { ...message, images });
  return { memory: { ...memory, messages }, outputs: nothing };
}

function messageClosed(
  memory: CallbacksMemory,
  event: EventOf<"message.closed">,
  run: RunState,
): CallbacksStep {
  const messages = new Map(memory.messages);
  messages.delete(event.messageId);
  const { role, parentCallId } = messageOf(run, event.messageId) ?? {};
  const { text: content, images } = memory.messages.get(event.messageId) ?? emptyMessage;
  const isUsers = role === "user" && parentCallId === undefined && (content || images.length > 0);
  return {
    memory: { ...memory, messages },
    outputs: isUsers ? [{ callback: "onUserMessageAdded", content, images }] : nothing,
  };
}

function callbackTextStep(
  memory: CallbacksMemory,
  event: TextEvent,
  before: RunState,
  run: RunState,
): CallbacksStep {
  const kind = isReasoning(event) ? "reasoning" : "text";
  const chunk = newTextOf(event, before);
  const message = memory.messages.get(event.messageId) ?? emptyMessage;
  const accumulated = message[kind] + chunk;
  const messages = new Map(memory.messages);
  messages.set(event.messageId, { ...message, [kind]: accumulated });
  const next = { ...memory, messages };
  const { role, parentCallId } = messageOf(run, event.messageId) ?? {};
  if (chunk === "" || role !== "assistant") return { memory: next, outputs: nothing };
  if (parentCallId === undefined) {
    const callback = kind === "text" ? "onAssistantContentUpdated" : "onAssistantReasoningUpdated";
    return { memory: next, outputs: [{ callback, chunk, accumulated }] };
  }
  if (kind === "reasoning") return { memory: next, outputs: nothing };
  const nested = { callback: "onSubagentContentUpdated", callId: parentCallId } as const;
  return { memory: next, outputs: [{ ...nested, chunk, accumulated }] };
}

function callbackCallStep(
  memory: CallbacksMemory,
  event: CallEvent,
  run: RunState,
  staging: Stages,
): CallbacksStep {
  const { memory: stages, params } = staging.step(memory.stages, event, run);
  const outputs: CallbackCall[] = params ? [{ callback: "onToolBlockUpdated", params }] : [];
  if (event.type === "call.approval.asked") {
    outputs.push({ callback: "onApprovalRequested", request: approvalRequest(event, run) });
  }
  if (event.type === "call.closed" && event.usage && run.status !== "unstarted") {
    outputs.push({ callback: "onUsageChanged", usage: run.usage });
  }
  return { memory: { ...memory, stages }, outputs };
}

function approvalRequest(event: EventOf<"call.approval.asked">, run: RunState): ApprovalRequest {
  const call = callOf(run, event.callId);
  const input = call && "input" in call && call.input?.parsed ? call.input.value : undefined;
  return {
    callId: event.callId,
    toolName: call?.toolName ?? "",
    approvalId: event.approvalId,
    options: event.options,
    input,
    ...withoutUndefined({ reason: event.reason, expiresAt: event.expiresAt }),
  };
}

const noCommand: Command = { command: "", told: 0 };

/** A closing sends the output that no piece contained. */
function commandStep(memory: CallbacksMemory, event: CallEvent, run: RunState): CallbacksStep {
  const known = memory.commands.get(event.callId) ?? noCommand;
  const { command } = known;
  const keep = (next: Command): CallbacksMemory => ({
    ...memory,
    commands: new Map(memory.commands).set(event.callId, next),
  });
  if (event.type === "call.input.closed") {
    const named = commandOf(event);
    const added = { callback: "onAddCommandOutputMessage", command: named } as const;
    return { memory: keep({ command: named, told: 0 }), outputs: [added] };
  }
  const updated = { callback: "onUpdateCommandOutputMessage", command } as const;
  if (event.type === "call.run.progressed" && event.progress.type === "output") {
    const { text: chunk } = event.progress;
    const call = callOf(run, event.callId);
    const output = call?.status === "running" ? call.execution.outputText : chunk;
    const told = known.told + chunk.length;
    return { memory: keep({ command, told }), outputs: [{ ...updated, chunk, output }] };
  }
  if (event.type !== "call.closed") return { memory, outputs: nothing };
  const commands = new Map(memory.commands);
  commands.delete(event.callId);
  const exitCode = event.exitCode ?? null;
  const output = printedOutput(event.output ?? "", exitCode);
  const chunk = output.slice(known.told);
  const completed = { callback: "onCompleteCommandMessage", command, exitCode } as const;
  const outputs: CallbackCall[] =
    chunk === "" ? [completed] : [{ ...updated, chunk, output }, completed];
  return { memory: { ...memory, commands }, outputs };
}
