/**
 * Text and reasoning on AG-UI. Text goes to the message of its own id, reasoning to a span of its own. Which messages
 * are shown is not decided here.
 */
import type { EventOf } from "../../log/events/index.js";
import type { MessageId, PartId } from "../../log/ids.js";
import { type MessageState, messageOf, partOf, type RunState } from "../../log/state.js";
import { newTextOf, toldTextOf } from "../../log/textEvents.js";
import { withoutUndefined } from "../../values/optional.js";
import type { AgUiEvent } from "./events.js";

export function ownerOf(message: MessageState): { readonly subagentRunId?: string } {
  return withoutUndefined({ subagentRunId: message.parentCallId });
}

/**
 * `before` is the run before the event. All texts of a message go to the one message of its id, which
 * is opened again for each.
 */
export function textEvents(
  event: EventOf<"text.delta" | "text.closed">,
  message: MessageState,
  before: RunState,
  run: RunState,
): readonly AgUiEvent[] {
  const { messageId } = event;
  const wasOpen = hasOpenText(before, messageId);
  const delta = newTextOf(event, before);
  if (!wasOpen && delta === "") return [];
  const owner = ownerOf(message);
  const { role } = message;
  return [
    ...(wasOpen ? [] : [{ type: "TEXT_MESSAGE_START", messageId, role, ...owner } as const]),
    ...(delta === ""
      ? []
      : [{ type: "TEXT_MESSAGE_CONTENT", messageId, delta, ...owner } as const]),
    ...(hasOpenText(run, messageId)
      ? []
      : [{ type: "TEXT_MESSAGE_END", messageId, ...owner } as const]),
  ];
}

function hasOpenText(run: RunState, messageId: MessageId): boolean {
  const partId = messageOf(run, messageId)?.openPartId;
  const part = partId && partOf(run, partId);
  return part !== undefined && part.status === "open" && part.kind === "text";
}

/** A reasoning part is a span with one message. Part ids are unique in a run only, so both are named. */
export function reasoningEvents(
  event: EventOf<"reasoning.delta" | "reasoning.closed">,
  message: MessageState,
  before: RunState,
): readonly AgUiEvent[] {
  const delta = newTextOf(event, before);
  const wasOpen = toldTextOf(event, before) !== undefined;
  const signature = event.type === "reasoning.closed" ? opaqueOf(event) : undefined;
  if (!wasOpen && delta === "" && signature === undefined) return [];
  const owner = ownerOf(message);
  const span = { messageId: reasoningIdOf(event), ...owner };
  return [
    ...(wasOpen ? [] : reasoningStart(span)),
    ...(delta === "" ? [] : [{ type: "REASONING_MESSAGE_CONTENT", ...span, delta } as const]),
    ...(event.type === "reasoning.closed" ? reasoningEnd(span, signature) : []),
  ];
}

/** The data that the provider requires back, as one text. */
function opaqueOf({ signature, providerData }: EventOf<"reasoning.closed">): string | undefined {
  return providerData === undefined ? signature : JSON.stringify(providerData.data);
}

type Span = { readonly messageId: string; readonly subagentRunId?: string };

function reasoningIdOf(part: { readonly messageId: MessageId; readonly partId: PartId }): string {
  return `${part.messageId}/${part.partId}`;
}

function reasoningStart(span: Span): readonly AgUiEvent[] {
  return [
    { type: "REASONING_START", ...span },
    { type: "REASONING_MESSAGE_START", ...span, role: "reasoning" },
  ];
}

/** A signature is what the provider wants back unchanged: to a client it is an opaque value. */
function reasoningEnd(span: Span, signature: string | undefined): readonly AgUiEvent[] {
  const { messageId: entityId, ...owner } = span;
  const opaque = { subtype: "message", entityId, ...owner } as const;
  return [
    { type: "REASONING_MESSAGE_END", ...span },
    ...(signature === undefined
      ? []
      : [{ type: "REASONING_ENCRYPTED_VALUE", ...opaque, encryptedValue: signature } as const]),
    { type: "REASONING_END", ...span },
  ];
}

/** For a log whose run ended before its texts did. */
export function lostTextEvents(run: RunState, message: MessageState): readonly AgUiEvent[] {
  const { messageId, openPartId: partId } = message;
  const part = partId && partOf(run, partId);
  if (!partId || part?.status !== "open") return [];
  const owner = ownerOf(message);
  if (part.kind === "text") return [{ type: "TEXT_MESSAGE_END", messageId, ...owner }];
  return reasoningEnd({ messageId: reasoningIdOf({ messageId, partId }), ...owner }, undefined);
}
