/**
 * The chat surface: `Message[]` with blocks in the order in which they started. A step changes one block; everything
 * else is the same object as before. The array itself is created on request.
 */
import { isCommand } from "../calls/command.js";
import type { CallState } from "../log/callState.js";
import type { Usage } from "../log/events/envelope.js";
import { type EventOf, isCallEvent, type RunEvent } from "../log/events/index.js";
import type { CallId, MessageId } from "../log/ids.js";
import { createLedger, entryOf, type Ledger, withSettled } from "../log/ledger.js";
import { callOf, messageOf, type RunState } from "../log/state.js";
import { callBlocks, textBlock } from "../stages/messageBlock.js";
import type { Message, MessageBlock } from "../stages/messages.js";
import { createStages, type StageMemory, type Stages } from "../stages/stageParams.js";
import { mapSame } from "../values/sameList.js";
import type { Projection, Step } from "./shared/projection.js";

export interface MessageBlocksMemory {
  readonly messages: readonly Message[];
  /** Messages that changed since `messages` was made, by their place in it. */
  readonly changed: ReadonlyMap<number, Message>;
  readonly places: Ledger<MessageId, number>;
  readonly stages: StageMemory;
}

/** Which message of the conversation changed. */
export interface MessageChange {
  readonly messageId: string;
  readonly index: number;
}

export interface MessageBlocksOptions {
  /** The stages that this projection shares with another one. Default its own, without short forms of arguments. */
  readonly stages?: Stages;
}

type BlocksStep = Step<MessageBlocksMemory, MessageChange>;

export function createMessageBlocksProjection(
  options: MessageBlocksOptions = {},
): Projection<MessageBlocksMemory, MessageChange> {
  const stages = options.stages ?? createStages();
  return {
    initial: { messages: [], changed: new Map(), places: createLedger(), stages: stages.initial },
    step: (memory, event, { after }) => messageBlocksStep(memory, event, after, stages),
  };
}

/** The current messages. Costs their number, not their size: call it once for each frame. */
export function messagesOf(memory: MessageBlocksMemory): readonly Message[] {
  if (memory.changed.size === 0) return memory.messages;
  const messages = [...memory.messages];
  for (const [index, message] of memory.changed) messages[index] = message;
  return messages;
}

function messageBlocksStep(
  memory: MessageBlocksMemory,
  event: RunEvent,
  run: RunState,
  staging: Stages,
): BlocksStep {
  if (isCallEvent(event)) {
    const call = callOf(run, event.callId);
    if (!call) return { memory, outputs: [] };
    // A command is shown as its own block, without stages.
    const { memory: stages, params } = isCommand(call)
      ? { memory: memory.stages, params: undefined }
      : staging.step(memory.stages, event, run);
    return inMessage({ ...memory, stages }, run, shownMessageOf(run, call), (message) =>
      withBlocks(message, callBlocks(message.blocks, event, call, params)),
    );
  }
  switch (event.type) {
    case "run.started":
    case "run.closed":
    case "run.parked":
    case "run.resumed":
    case "status.reported":
    case "data.emitted":
    case "message.closed":
    case "message.queued":
    case "message.requeued":
    case "message.unqueued":
    case "hook.answered":
      return { memory, outputs: [] };
    case "context.compacted":
      return withCompaction(memory, event);
    case "usage.reported":
      return event.messageId === undefined
        ? { memory, outputs: [] }
        : inMessage(memory, run, event.messageId, (message) => withUsage(message, event.usage));
    case "error.reported":
      return withError(memory, event, run);
    case "message.opened":
      return withMessage(memory, event, run);
    case "text.delta":
    case "text.closed":
    case "reasoning.delta":
    case "reasoning.closed":
    case "image.attached":
      return inMessage(memory, run, event.messageId, (message) =>
        withBlocks(message, textBlock(message.blocks, event)),
      );
    default:
      return event satisfies never;
  }
}

/** A call that a tool opened, as the question of an MCP server, is beside its tool: only an agent has messages of its own. */
function shownMessageOf(run: RunState, call: CallState): MessageId {
  const parentCallId = messageOf(run, call.messageId)?.parentCallId;
  const parent = parentCallId === undefined ? undefined : callOf(run, parentCallId);
  if (parent === undefined || parent.toolType === "agent") return call.messageId;
  return shownMessageOf(run, parent);
}

function withBlocks(message: Message, blocks: readonly MessageBlock[]): Message {
  return blocks === message.blocks ? message : { ...message, blocks };
}

function withUsage(message: Message, usage: Usage): Message {
  return { ...message, usage };
}

function withMessage(
  memory: MessageBlocksMemory,
  event: EventOf<"message.opened">,
  run: RunState,
): BlocksStep {
  const { messageId, role, parentCallId, at: startedAt } = event;
  const message: Message = { id: messageId, role, blocks: [], startedAt };
  if (parentCallId === undefined) return appended(memory, messageId, message);
  return inSubagent(memory, run, parentCallId, (messages) => [...messages, message]);
}

function appended(memory: MessageBlocksMemory, id: MessageId, message: Message): BlocksStep {
  const messages = [...messagesOf(memory), message];
  const index = messages.length - 1;
  const places = withSettled(memory.places, id, index);
  return {
    memory: { ...memory, messages, changed: new Map(), places },
    outputs: [{ messageId: id, index }],
  };
}

/** Changes one message wherever it is: in the conversation, or in a nested agent's block. */
function inMessage(
  memory: MessageBlocksMemory,
  run: RunState,
  messageId: MessageId,
  change: (message: Message) => Message,
): BlocksStep {
  const parentCallId = messageOf(run, messageId)?.parentCallId;
  if (parentCallId !== undefined) {
    return inSubagent(memory, run, parentCallId, (messages) =>
      mapSame(messages, (message) => (message.id === messageId ? change(message) : message)),
    );
  }
  const index = entryOf(memory.places, messageId);
  return index === undefined ? { memory, outputs: [] } : atPlace(memory, index, change);
}

function atPlace(
  memory: MessageBlocksMemory,
  index: number,
  change: (message: Message) => Message,
): BlocksStep {
  const before = memory.changed.get(index) ?? memory.messages[index];
  if (before === undefined) return { memory, outputs: [] };
  const after = change(before);
  if (after === before) return { memory, outputs: [] };
  return {
    memory: { ...memory, changed: new Map(memory.changed).set(index, after) },
    outputs: [{ messageId: after.id, index }],
  };
}

function inSubagent(
  memory: MessageBlocksMemory,
  run: RunState,
  callId: CallId,
  change: (messages: readonly Message[]) => readonly Message[],
): BlocksStep {
  const call = callOf(run, callId);
  if (!call) return { memory, outputs: [] };
  return inMessage(memory, run, call.messageId, (message) =>
    withBlocks(
      message,
      mapSame(message.blocks, (block) => {
        if (block.type !== "subagent" || block.subagentId !== callId) return block;
        const messages = change(block.messages);
        return messages === block.messages ? block : { ...block, messages };
      }),
    ),
  );
}

/** An error is shown where it happened: in the open message, otherwise in one of its own. */
function withError(
  memory: MessageBlocksMemory,
  event: EventOf<"error.reported">,
  run: RunState,
): BlocksStep {
  const block = { type: "error" as const, content: event.userMessage ?? event.message };
  const open =
    run.status === "unstarted"
      ? undefined
      : [...run.messages.open.values()].findLast(
          (message) => message.role === "assistant" && message.parentCallId === undefined,
        );
  if (open) {
    return inMessage(memory, run, open.messageId, (message) =>
      withBlocks(message, [...message.blocks, block]),
    );
  }
  return ofItsOwn(memory, "error", block, event.at);
}

/** An error of a nested agent is not shown: its call continues. */
function withCompaction(
  memory: MessageBlocksMemory,
  event: EventOf<"context.compacted">,
): BlocksStep {
  if (event.parentCallId !== undefined) return { memory, outputs: [] };
  const { summary: content, before, after, at } = event;
  const tokens = { tokensBefore: before.tokens, tokensAfter: after.tokens };
  return ofItsOwn(memory, "compaction", { type: "compaction", content, ...tokens }, at);
}

/** A block that belongs to no message of the log. */
function ofItsOwn(
  memory: MessageBlocksMemory,
  name: "error" | "compaction",
  block: MessageBlock,
  startedAt: number,
): BlocksStep {
  const index = messagesOf(memory).length;
  const id = `${name}-${index}`;
  const message: Message = { id, role: "assistant", blocks: [block], startedAt };
  return {
    memory: { ...memory, messages: [...messagesOf(memory), message], changed: new Map() },
    outputs: [{ messageId: id, index }],
  };
}
