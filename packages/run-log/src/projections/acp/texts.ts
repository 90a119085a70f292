/**
 * What is said and thought, in chunks that name their message. What a nested agent says is no word of
 * this conversation: its calls are shown, and its result is its caller's output.
 */
import type { EventOf } from "../../events/index.js";
import { type MessageState, partOf, type RunState } from "../../state.js";
import { updated } from "./callView.js";
import { imageBlock } from "./content.js";
import type { AcpMessageChunk, AcpOutput } from "./updates.js";

type TextEvent = EventOf<"text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed">;

/** `shown` is the run before the event: what it holds open has been sent. */
export function textOutputs(
  event: TextEvent,
  message: MessageState,
  shown: RunState,
): readonly AcpOutput[] {
  const isClosing = event.type === "text.closed" || event.type === "reasoning.closed";
  const part = isClosing ? partOf(shown, event.partId) : undefined;
  const sent = part?.status === "open" ? part.text : "";
  if (!event.text.startsWith(sent)) return [];
  const text = event.text.slice(sent.length);
  if (text === "") return [];
  const isThought = event.type === "reasoning.delta" || event.type === "reasoning.closed";
  const sessionUpdate = isThought ? "agent_thought_chunk" : spokenBy(message);
  const { messageId } = message;
  return [updated({ sessionUpdate, messageId, content: { type: "text", text } })];
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
