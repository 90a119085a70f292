/**
 * Pure operations on messages. Messages are immutable: each operation gives a new list that shares
 * whatever it did not touch, and the same list where nothing changed.
 */
import type {
  AgentToolBlockUpdateParams,
  Image,
  Message,
  MessageBlock,
  ToolBlock,
} from "../types/messaging.js";

export type { AgentToolBlockUpdateParams } from "../types/messaging.js";

type Messages = readonly Message[];

export type UpdateToolBlockParams = AgentToolBlockUpdateParams & { readonly messages: Messages };

interface NewMessage {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function addUserMessage(
  messages: Messages,
  message: NewMessage & { readonly content: string; readonly images?: readonly Image[] },
): Messages {
  const { id, at, content, images = [] } = message;
  const text: MessageBlock[] = content === "" ? [] : [{ type: "text", id: `${id}-text`, content }];
  const pictures = images.map((image, index): MessageBlock => {
    return { type: "image", id: `${id}-image-${index}`, image };
  });
  return [...messages, { id, role: "user", blocks: [...text, ...pictures], startedAt: at }];
}

export function addAssistantMessage(messages: Messages, { id, at }: NewMessage): Messages {
  return [...messages, { id, role: "assistant", blocks: [], startedAt: at }];
}

/** Appends to the text that is last in the last assistant message, or begins one. */
export function appendAssistantText(messages: Messages, id: string, chunk: string): Messages {
  return inLastAssistant(messages, (blocks) => {
    const last = blocks.at(-1);
    return last?.type === "text"
      ? [...blocks.slice(0, -1), { ...last, content: last.content + chunk }]
      : [...blocks, { type: "text", id, content: chunk }];
  });
}

export function addErrorBlock(messages: Messages, content: string): Messages {
  return inLastAssistant(messages, (blocks) => [...blocks, { type: "error", content }]);
}

/**
 * Takes over what a callback said about a call. The block is found by its id wherever it is; a call
 * that no message has begins at the end of the last assistant message. A call that has ended stays
 * as it is: nothing follows an end.
 */
export function updateToolBlock({ messages, ...params }: UpdateToolBlockParams): Messages {
  const place = messages.findLastIndex((message) => message.blocks.some(isCall(params.id)));
  if (place === -1) {
    return inLastAssistant(messages, (blocks) => [...blocks, toolBlock(undefined, params)]);
  }
  return messages.map((message, index) =>
    index === place ? withBlocks(message, updatedBlocks(message.blocks, params)) : message,
  );
}

function updatedBlocks(
  blocks: readonly MessageBlock[],
  params: AgentToolBlockUpdateParams,
): readonly MessageBlock[] {
  const known = blocks.find(isCall(params.id));
  if (!known || known.stage === "end") return blocks;
  return blocks.map((block) => (block === known ? toolBlock(known, params) : block));
}

function toolBlock(known: ToolBlock | undefined, params: AgentToolBlockUpdateParams): ToolBlock {
  const piece = params.stage === "streaming" ? (params.result ?? "") : "";
  const content = params.stage === "end" ? (params.result ?? "") : (known?.content ?? "") + piece;
  const toolCall = { name: params.name, arguments: params.parameters };
  return { ...params, type: "tool", content, toolCall };
}

const isCall =
  (id: string) =>
  (block: MessageBlock): block is ToolBlock =>
    block.type === "tool" && block.id === id;

function withBlocks(message: Message, blocks: readonly MessageBlock[]): Message {
  return blocks === message.blocks ? message : { ...message, blocks };
}

function inLastAssistant(
  messages: Messages,
  change: (blocks: readonly MessageBlock[]) => readonly MessageBlock[],
): Messages {
  const place = messages.findLastIndex((message) => message.role === "assistant");
  if (place === -1) return messages;
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

export function countToolBlocks(messages: Messages): number {
  return messages.reduce(
    (count, message) => count + message.blocks.filter((block) => block.type === "tool").length,
    0,
  );
}
