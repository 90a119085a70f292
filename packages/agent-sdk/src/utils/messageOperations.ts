/**
 * Pure operations on messages. Messages are immutable: each operation gives a new list, which is the
 * caller's own, of the same messages but for the one that it changed.
 */

import { toolBlockAfter } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import type {
  AgentToolBlockUpdateParams,
  Image,
  Message,
  MessageBlock,
  Stage,
  SubagentBlock,
  ToolBlock,
} from "../types/messaging.js";

export type { AgentToolBlockUpdateParams } from "../types/messaging.js";

type Messages = readonly Message[];

/**
 * The parameters of `updateToolBlock`: those of the callback as a plain interface, to extend and to fill by hand, and
 * the messages. Fields that a stage does not have are omitted from the block.
 */
export interface UpdateToolBlockParams {
  messages: Message[];
  id: string;
  parameters: string;
  stage: Stage;
  result?: string;
  success?: boolean;
  error?: string;
  /** Default the name that the block has. */
  name?: string;
  shortResult?: string;
  silentMs?: number;
  images?: Image[];
  compactParams?: string;
  amendedParameters?: string;
  parametersChunk?: string;
  parentCallId?: string;
}

type ToolUpdate = Omit<UpdateToolBlockParams, "messages">;

interface NewMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Adds a message of the user. */
export function addUserMessage(
  messages: Messages,
  message: NewMessage & { readonly content: string; readonly images?: readonly Image[] },
): Message[] {
  const { id, at, content, images = [] } = message;
  const text: MessageBlock[] = content === "" ? [] : [{ type: "text", id: `${id}-text`, content }];
  const pictures = images.map((image, index): MessageBlock => {
    return { type: "image", id: `${id}-image-${index}`, image };
  });
  return [...messages, { id, role: "user", blocks: [...text, ...pictures], startedAt: at }];
}

/** Adds an empty message of the assistant. */
export function addAssistantMessage(messages: Messages, { id, at }: NewMessage): Message[] {
  return [...messages, { id, role: "assistant", blocks: [], startedAt: at }];
}

/** Appends to the last text of the last assistant message, or starts one. */
export function appendAssistantText(messages: Messages, id: string, chunk: string): Message[] {
  return inLastAssistant(messages, (blocks) => {
    const last = blocks.at(-1);
    return last?.type === "text"
      ? [...blocks.slice(0, -1), { ...last, content: last.content + chunk }]
      : [...blocks, { type: "text", id, content: chunk }];
  });
}

/** Adds an error to the last message of the assistant. */
export function addErrorBlock(messages: Messages, content: string): Message[] {
  return inLastAssistant(messages, (blocks) => [...blocks, { type: "error", content }]);
}

/**
 * Applies a callback about a call: the block becomes what `agent.messages` shows for it. It is found by its id at any
 * depth, also in a nested agent's messages. A call that no message has starts at the end of the last assistant message,
 * of its nested agent or of the conversation. A call that has ended stays unchanged: nothing follows an end.
 */
export function updateToolBlock({
  messages,
  ...update
}: ToolUpdate & { readonly messages: Messages }): Message[] {
  const changed =
    inBlocksOf(
      messages,
      (block) => isCall(block, update.id),
      (blocks) => updated(blocks, update),
    ) ?? inBlocksOf(messages, isAgentOf(update), (blocks) => withNested(blocks, update));
  if (changed) return changed;
  const block = toolBlockAfter(undefined, paramsOf(update, undefined));
  return inLastAssistant(messages, (blocks) => [...blocks, block]);
}

function updated(blocks: readonly MessageBlock[], update: ToolUpdate): readonly MessageBlock[] {
  return blocks.map((block) =>
    isCall(block, update.id) && block.stage !== "end"
      ? toolBlockAfter(block, paramsOf(update, block.name))
      : block,
  );
}

function withNested(blocks: readonly MessageBlock[], update: ToolUpdate): readonly MessageBlock[] {
  const begun = toolBlockAfter(undefined, paramsOf(update, undefined));
  return blocks.map((block) =>
    isAgentOf(update)(block)
      ? { ...block, messages: inLastAssistant(block.messages, (nested) => [...nested, begun]) }
      : block,
  );
}

const isCall = (block: MessageBlock, id: string): block is ToolBlock =>
  block.type === "tool" && block.id === id;

const isAgentOf =
  ({ parentCallId }: ToolUpdate) =>
  (block: MessageBlock): block is SubagentBlock =>
    block.type === "subagent" && block.subagentId === parentCallId;

/** Changes the latest message with a matching block, at any depth; undefined if there is none. */
function inBlocksOf(
  messages: Messages,
  fits: (block: MessageBlock) => boolean,
  change: (blocks: readonly MessageBlock[]) => readonly MessageBlock[],
): Message[] | undefined {
  for (const [index, message] of [...messages.entries()].reverse()) {
    const blocks = message.blocks.some(fits)
      ? change(message.blocks)
      : inNested(message.blocks, fits, change);
    if (blocks) return messages.toSpliced(index, 1, withBlocks(message, blocks));
  }
  return undefined;
}

function inNested(
  blocks: readonly MessageBlock[],
  fits: (block: MessageBlock) => boolean,
  change: (blocks: readonly MessageBlock[]) => readonly MessageBlock[],
): readonly MessageBlock[] | undefined {
  for (const [index, block] of blocks.entries()) {
    const messages = block.type === "subagent" && inBlocksOf(block.messages, fits, change);
    if (messages) return blocks.toSpliced(index, 1, { ...block, messages });
  }
  return undefined;
}

/** The update with the fields of its stage. An end without either field is a success without an error. */
function paramsOf(update: ToolUpdate, knownName: string | undefined): AgentToolBlockUpdateParams {
  const { id, parameters, stage, result, error, shortResult, images } = update;
  const base = {
    id,
    name: update.name ?? knownName ?? "tool",
    parameters,
    ...withoutUndefined({
      compactParams: update.compactParams,
      amendedParameters: update.amendedParameters,
      parentCallId: update.parentCallId,
    }),
  };
  const short = withoutUndefined({ shortResult });
  const output = withoutUndefined({ result });
  switch (stage) {
    case "start":
      return { ...base, stage };
    case "streaming": {
      const { parametersChunk } = update;
      return {
        ...base,
        stage,
        ...output,
        ...withoutUndefined({ parametersChunk }),
      };
    }
    case "running":
      return { ...base, stage, ...short, ...withoutUndefined({ silentMs: update.silentMs }) };
    case "end": {
      const end = { ...base, stage, ...short, ...withoutUndefined({ images }) };
      const { success = error === undefined } = update;
      if (success) return { ...end, success, result: result ?? "" };
      return { ...end, success, error: error ?? "The tool failed.", ...output };
    }
    default:
      return stage satisfies never;
  }
}

function withBlocks(message: Message, blocks: readonly MessageBlock[]): Message {
  const isSame = blocks.every((block, index) => block === message.blocks[index]);
  return isSame && blocks.length === message.blocks.length ? message : { ...message, blocks };
}

function inLastAssistant(
  messages: Messages,
  change: (blocks: readonly MessageBlock[]) => readonly MessageBlock[],
): Message[] {
  const place = messages.findLastIndex((message) => message.role === "assistant");
  return messages.map((message, index) =>
    index === place ? withBlocks(message, change(message.blocks)) : message,
  );
}

/** All the text of a message, without its tools. */
export function messageText(message: Message): string {
  return message.blocks
    .map((block) => (block.type === "text" ? block.content : ""))
    .filter((text) => text !== "")
    .join("\n");
}

/** The texts that the user sent, oldest first: what an arrow key walks through. */
export function userInputHistory(messages: Messages): readonly string[] {
  return messages
    .filter((message) => message.role === "user")
    .map(messageText)
    .filter((text) => text !== "");
}

/** Counts the tool calls in the messages. */
export function countToolBlocks(messages: Messages): number {
  return messages.reduce(
    (count, message) => count + message.blocks.filter((block) => block.type === "tool").length,
    0,
  );
}
