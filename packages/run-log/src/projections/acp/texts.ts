/**
 * Text and reasoning, in chunks that name their message. The text of a nested agent is not part of this conversation: it
 * is shown as the output of the call that it works for, until the result of that call.
 */
import type { EventOf } from "../../log/events/index.js";
import type { MessageState, RunState } from "../../log/state.js";
import { isReasoning, newTextOf, type TextEvent, toldTextOf } from "../../log/textEvents.js";
import { updated } from "./callView.js";
import { imageBlock } from "./content.js";
import type { AcpMessageChunk, AcpOutput } from "./updates.js";

/** `before` is the run before the event: what it holds open has been sent. */
export function textOutputs(
  event: TextEvent,
  message: MessageState,
  before: RunState,
): readonly AcpOutput[] {
  const text = newTextOf(event, before);
  if (text === "") return [];
  const sessionUpdate = isReasoning(event) ? "agent_thought_chunk" : spokenBy(message);
  const { messageId } = message;
  return [updated({ sessionUpdate, messageId, content: { type: "text", text } })];
}

/** The words of a nested agent, apart from those before them; its thoughts are its own. */
export function nestedWords(event: TextEvent, before: RunState, hasWords: boolean): string {
  if (isReasoning(event)) return "";
  const text = newTextOf(event, before);
  const isNext = hasWords && text !== "" && toldTextOf(event, before) === undefined;
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
