/**
 * A run as the messages that `useChat` keeps: the user's message, and one assistant message whose parts are those of the
 * stream; one more for each message of the user that came while the run idled. The ids are those of the stream, so that a
 * page that loads them can continue with the stream.
 */

import type { Image } from "../../log/events/envelope.js";
import type { RunEvent } from "../../log/events/index.js";
import { messageOf, type RunState } from "../../log/state.js";
import { withoutUndefined } from "../../values/optional.js";
import { createProjector } from "../shared/projection.js";
import { fileChunk } from "./calls.js";
import type { UiBackgroundCall, UiMessageChunk } from "./chunks.js";
import { createUiTurnsProjection, type UiTurnsOptions } from "./turns.js";

export type UiPart = { readonly type: string } & Readonly<Record<string, unknown>>;

export interface UiMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: readonly UiPart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface UiMessagesFold {
  push(event: RunEvent): void;
  readonly messages: readonly UiMessage[];
}

interface Message {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly parts: UiPart[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export function createUiMessagesFold(options: UiTurnsOptions = {}): UiMessagesFold {
  const projector = createProjector(createUiTurnsProjection(options));
  /** In their order. An answer is among them from its first part on. */
  const messages: Message[] = [];
  let answer: Message = { id: "", role: "assistant", parts: [], metadata: {} };

  function changeAnswer(changed: Partial<Message>): void {
    const at = messages.indexOf(answer);
    answer = { ...answer, ...changed };
    if (at >= 0) messages[at] = answer;
  }

  function listen(event: RunEvent, run: RunState): void {
    if (!("messageId" in event) || event.messageId === undefined) return;
    const message = messageOf(run, event.messageId);
    if (message?.role !== "user" || message.parentCallId !== undefined) return;
    if (event.type === "message.opened") {
      messages.push({ id: event.messageId, role: "user", parts: [] });
    }
    const own = messages.find(({ id, role }) => id === event.messageId && role === "user");
    if (event.type === "text.closed") own?.parts.push({ type: "text", text: event.text });
    if (event.type === "image.attached") own?.parts.push(filePart(event.image));
  }

  function apply(chunk: UiMessageChunk): void {
    if (chunk.type === "start") {
      const { messageId: id } = chunk;
      if (answer.parts.length === 0) changeAnswer({ id });
      else if (answer.id !== id) answer = { id, role: "assistant", parts: [], metadata: {} };
    }
    if (chunk.type === "start" || chunk.type === "message-metadata") {
      changeAnswer({ metadata: { ...answer.metadata, ...chunk.messageMetadata } });
    }
    if (chunk.type === "data-background-call") closeCall(messages, chunk.data);
    applyToParts(answer.parts, chunk);
    if (answer.parts.length > 0 && !messages.includes(answer)) messages.push(answer);
  }

  return {
    push(event) {
      const chunks = projector.push(event);
      listen(event, projector.run);
      for (const chunk of chunks) apply(chunk);
    },
    get messages() {
      return messages.map((message) => ({ ...message, parts: message.parts.map(withoutTextId) }));
    },
  };
}

/** What a stream of a later message cannot do: it closes the part of the call. */
function closeCall(messages: readonly Message[], end: UiBackgroundCall): void {
  const { toolCallId, toolName: _, ...fields } = end;
  const isIt = (part: UiPart): boolean => part.toolCallId === toolCallId;
  const holder = messages.find(({ parts }) => parts.some(isIt));
  if (holder)
    change(holder.parts, isIt, (part) => ({ ...part, preliminary: undefined, ...fields }));
}

/** The ids of texts are the stream's; a message does not keep them. */
function withoutTextId(part: UiPart): UiPart {
  if (part.type !== "text") return part;
  const { id: _, ...rest } = part;
  return rest;
}

function filePart(image: Image): UiPart {
  return { ...fileChunk(image) };
}

function applyToParts(parts: UiPart[], chunk: UiMessageChunk): void {
  switch (chunk.type) {
    case "start-step":
      parts.push({ type: "step-start" });
      return;
    case "text-start":
    case "reasoning-start":
      parts.push({ type: partKindOf(chunk.type), id: chunk.id, text: "", state: "streaming" });
      return;
    case "text-delta":
    case "reasoning-delta":
      change(parts, isText(chunk), (part) => ({ ...part, text: `${part.text}${chunk.delta}` }));
      return;
    case "text-end":
    case "reasoning-end":
      change(parts, isText(chunk), (part) => ({ ...part, state: "done" }));
      return;
    case "file":
      parts.push({ ...chunk });
      return;
    default:
      if ("toolCallId" in chunk) applyToCall(parts, chunk);
      else if (chunk.type.startsWith("data-") && "data" in chunk) applyData(parts, chunk);
  }
}

type ToolChunk = Extract<UiMessageChunk, { readonly toolCallId: string }>;

function applyToCall(parts: UiPart[], chunk: ToolChunk): void {
  const { toolCallId } = chunk;
  const set = (fields: Readonly<Record<string, unknown>>): void =>
    change(
      parts,
      (part) => part.toolCallId === toolCallId,
      (part) => ({ ...part, ...fields }),
    );
  switch (chunk.type) {
    case "tool-input-start": {
      const { toolName, dynamic, type: _, ...rest } = chunk;
      const named = dynamic ? { type: "dynamic-tool", toolName } : { type: `tool-${toolName}` };
      parts.push({ ...named, ...rest, state: "input-streaming" });
      return;
    }
    case "tool-input-delta":
      return;
    case "tool-input-available":
      set({ state: "input-available", input: chunk.input, ...titleField(chunk) });
      return;
    case "tool-input-error":
      set({ state: "output-error", input: chunk.input, errorText: chunk.errorText });
      return;
    case "tool-approval-request": {
      const { approvalId, approvalDescriptor: descriptor } = chunk;
      set({ state: "approval-requested", approval: { id: approvalId, descriptor } });
      return;
    }
    case "tool-output-available": {
      const preliminary = "preliminary" in chunk ? true : undefined;
      const closing = "toolMetadata" in chunk ? { toolMetadata: chunk.toolMetadata } : {};
      set({ state: "output-available", output: chunk.output, preliminary, ...closing });
      return;
    }
    case "tool-output-error": {
      const { errorText, toolMetadata } = chunk;
      const noOutput = { output: undefined, preliminary: undefined };
      set({ state: "output-error", errorText, toolMetadata, ...noOutput });
      return;
    }
    case "tool-output-denied":
      set({ state: "output-denied" });
      return;
    default:
      chunk satisfies never;
  }
}

function applyData(parts: UiPart[], chunk: UiPart): void {
  if (chunk.transient === true) return;
  const at = parts.findIndex(
    ({ type, id }) => type === chunk.type && id !== undefined && id === chunk.id,
  );
  if (at < 0) parts.push({ ...chunk });
  else parts[at] = { ...chunk };
}

function titleField({ title }: { readonly title?: string }): { readonly title?: string } {
  return withoutUndefined({ title });
}

function partKindOf(type: "text-start" | "reasoning-start"): "text" | "reasoning" {
  return type === "text-start" ? "text" : "reasoning";
}

function isText({ id }: { readonly id: string }): (part: UiPart) => boolean {
  return (part) => part.id === id && (part.type === "text" || part.type === "reasoning");
}

function change(
  parts: UiPart[],
  isIt: (part: UiPart) => boolean,
  changed: (part: UiPart) => UiPart,
): void {
  const at = parts.findLastIndex(isIt);
  const part = parts[at];
  if (part) parts[at] = changed(part);
}
