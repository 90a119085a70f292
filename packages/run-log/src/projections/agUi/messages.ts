/**
 * A run as the messages that an AG-UI client keeps, for a client that has none of it. The ids are those of the stream,
 * so that a client that loads them can continue with the stream. It contains only the text of the client's own level and
 * below: statuses, usage and other custom events are in the stream alone.
 */
import type { Image } from "../../log/events/envelope.js";
import type { RunEvent } from "../../log/events/index.js";
import { messageOf, type RunState } from "../../log/state.js";
import { withoutUndefined } from "../../values/optional.js";
import { createAgUiProjection } from "../agUi.js";
import { createProjector } from "../shared/projection.js";
import type { AgUiContentPart, AgUiEvent, AgUiMessage, AgUiToolCall } from "./events.js";

export interface AgUiMessagesFold {
  push(event: RunEvent): void;
  readonly messages: readonly AgUiMessage[];
}

export function createAgUiMessagesFold(): AgUiMessagesFold {
  const projector = createProjector(createAgUiProjection({ userMessages: true }));
  const messages = new Map<string, AgUiMessage>();
  const images = new Map<string, Image[]>();
  /** Which message holds a call. */
  const holders = new Map<string, string>();

  function change(id: string, changed: (message: AgUiMessage) => AgUiMessage): void {
    const message = messages.get(id);
    if (message) messages.set(id, changed(message));
  }

  function changeCall(callId: string, changed: (call: AgUiToolCall) => AgUiToolCall): void {
    change(holders.get(callId) ?? "", (message) => {
      if (message.role !== "assistant") return message;
      const toolCalls = (message.toolCalls ?? []).map((call) =>
        call.id === callId ? changed(call) : call,
      );
      return { ...message, toolCalls };
    });
  }

  /** Clients keep a result after the message with its call, whatever comes in between. */
  function addResult(result: AgUiMessage, callId: string): void {
    const all = [...messages.values()];
    const holder = all.findIndex(({ id }) => id === holders.get(callId));
    const next = all.findIndex(({ role }, index) => index > holder && role !== "tool");
    if (holder < 0 || next < 0) {
      messages.set(result.id, result);
      return;
    }
    messages.clear();
    for (const message of all.toSpliced(next, 0, result)) messages.set(message.id, message);
  }

  function apply(event: AgUiEvent): void {
    switch (event.type) {
      case "TEXT_MESSAGE_START": {
        const { messageId: id, role } = event;
        if (!messages.has(id)) messages.set(id, { id, role, content: "", ...ownerOf(event) });
        return;
      }
      case "TEXT_MESSAGE_CONTENT":
      case "REASONING_MESSAGE_CONTENT":
        change(event.messageId, (message) => withText(message, event.delta));
        return;
      case "REASONING_MESSAGE_START": {
        const { messageId: id } = event;
        messages.set(id, { id, role: "reasoning", content: "", ...ownerOf(event) });
        return;
      }
      case "REASONING_ENCRYPTED_VALUE": {
        const { encryptedValue } = event;
        change(event.entityId, (message) => ({ ...message, encryptedValue }));
        return;
      }
      case "TOOL_CALL_START": {
        const { toolCallId, toolCallName: name, parentMessageId: id = toolCallId } = event;
        const call = {
          id: toolCallId,
          type: "function",
          function: { name, arguments: "" },
        } as const;
        holders.set(toolCallId, id);
        if (!messages.has(id)) messages.set(id, { id, role: "assistant", ...ownerOf(event) });
        change(id, (message) =>
          message.role === "assistant"
            ? { ...message, toolCalls: [...(message.toolCalls ?? []), call] }
            : message,
        );
        return;
      }
      case "TOOL_CALL_ARGS":
        changeCall(event.toolCallId, (call) => {
          const { name, arguments: before } = call.function;
          return { ...call, function: { name, arguments: `${before}${event.delta}` } };
        });
        return;
      case "TOOL_CALL_RESULT": {
        const { messageId: id, toolCallId, content } = event;
        addResult({ id, role: "tool", toolCallId, content, ...ownerOf(event) }, toolCallId);
        return;
      }
      default:
    }
  }

  /** The protocol has no event for the images of a user: they are parts of the message. */
  function look(event: RunEvent, run: RunState): void {
    if (event.type !== "image.attached" || messageOf(run, event.messageId)?.role !== "user") return;
    const id = event.messageId;
    if (!messages.has(id)) messages.set(id, { id, role: "user", content: "" });
    images.set(id, [...(images.get(id) ?? []), event.image]);
  }

  return {
    push(event) {
      for (const told of projector.push(event)) apply(told);
      look(event, projector.run);
    },
    get messages() {
      return [...messages.values()].map((message) =>
        message.role === "user" ? withImages(message, images.get(message.id)) : message,
      );
    },
  };
}

function ownerOf({ subagentRunId }: { readonly subagentRunId?: string }) {
  return withoutUndefined({ subagentRunId });
}

function withText(message: AgUiMessage, delta: string): AgUiMessage {
  switch (message.role) {
    case "user":
      return { ...message, content: `${message.content}${delta}` };
    case "assistant":
    case "reasoning":
      return { ...message, content: `${message.content ?? ""}${delta}` };
    case "tool":
      return message;
    default:
      return message satisfies never;
  }
}

function withImages(
  message: Extract<AgUiMessage, { role: "user" }>,
  images: readonly Image[] = [],
): AgUiMessage {
  if (images.length === 0 || typeof message.content !== "string") return message;
  const text = message.content;
  const parts: readonly AgUiContentPart[] = [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...images.map(({ data: value, mediaType: mimeType = "image/png" }) => ({
      type: "image" as const,
      source: { type: "data" as const, value, mimeType },
    })),
  ];
  return { ...message, content: parts };
}
