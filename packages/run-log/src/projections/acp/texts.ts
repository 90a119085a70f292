/**
 * What is said and thought, in chunks that name their message. What a nested agent says is no word of
 * this conversation: it is shown as the output of the call that it works for, until its result is.
 */
import type { EventOf, RunEvent } from "../../events/index.js";
import { type MessageState, partOf, type RunState } from "../../state.js";
import { updated } from "./callView.js";
import { imageBlock } from "./content.js";
import type { AcpMessageChunk, AcpOutput } from "./updates.js";

type TextEvent = EventOf<"text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed">;

export function isTextEvent(event: RunEvent): event is TextEvent {
  const { type } = event;
  return (
    type === "text.delta" ||
    type === "text.closed" ||
    type === "reasoning.delta" ||
    type === "reasoning.closed"
  );
}

/** `shown` is the run before the event: what it holds open has been sent. */
export function textOutputs(
  event: TextEvent,
  message: MessageState,
  shown: RunState,
): readonly AcpOutput[] {
  const text = newText(event, shown);
  if (text === "") return [];
  const isThought = event.type === "reasoning.delta" || event.type === "reasoning.closed";
  const sessionUpdate = isThought ? "agent_thought_chunk" : spokenBy(message);
  const { messageId } = message;
  return [updated({ sessionUpdate, messageId, content: { type: "text", text } })];
}

/** What an event adds to what was said before it. */
function newText(event: TextEvent, shown: RunState): string {
  const isClosing = event.type === "text.closed" || event.type === "reasoning.closed";
  const sent = isClosing ? saidBefore(event, shown) : "";
  return event.text.startsWith(sent) ? event.text.slice(sent.length) : "";
}

function saidBefore({ partId }: TextEvent, shown: RunState): string {
  const part = partOf(shown, partId);
  return part?.status === "open" ? part.text : "";
}

/** The words of a nested agent, apart from those before them; its thoughts are its own. */
export function nestedWords(event: TextEvent, shown: RunState, hasWords: boolean): string {
  if (event.type === "reasoning.delta" || event.type === "reasoning.closed") return "";
  const text = newText(event, shown);
  const isNext = hasWords && text !== "" && saidBefore(event, shown) === "";
  return isNext ? `\n\n${text}` : text;
}

export function imageOutputs(
  { image }: EventOf<"image.attached">,
  message: MessageState,
): readonly AcpOutput[] {
  const { messageId } = message;
  const content = imageBlock(image);
  return [updated({ sessionUpdate: spokenBy(message), messageId, content })];
}

function spokenBy({ role }: MessageState): AcpMessageChunk["sessionUpdate"] {
  return role === "user" ? "user_message_chunk" : "agent_message_chunk";
}
