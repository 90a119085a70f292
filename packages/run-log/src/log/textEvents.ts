/**
 * The events of text and reasoning, and the text that each adds to the earlier ones. A closing adds what no delta
 * contained: nothing if every delta arrived, everything if the log has none.
 */
import type { EventOf, RunEvent } from "./events/index.js";
import { partOf, type RunState } from "./state.js";

export type TextEvent = EventOf<
  "text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed"
>;

export function isTextEvent(event: RunEvent): event is TextEvent {
  const { type } = event;
  return (
    type === "text.delta" ||
    type === "text.closed" ||
    type === "reasoning.delta" ||
    type === "reasoning.closed"
  );
}

export function isClosing(event: TextEvent): event is EventOf<"text.closed" | "reasoning.closed"> {
  return event.type === "text.closed" || event.type === "reasoning.closed";
}

export function isReasoning(event: TextEvent): boolean {
  return event.type === "reasoning.delta" || event.type === "reasoning.closed";
}

/** The part of an event before the event. Absent for a part that starts with the event. */
export function toldTextOf(event: TextEvent, before: RunState): string | undefined {
  const part = partOf(before, event.partId);
  return part?.status === "open" ? part.text : undefined;
}

/**
 * The text that an event adds to its part. `before` is the run before the event. A closing that contradicts its deltas
 * adds nothing: a surface that only appends cannot remove text.
 */
export function newTextOf(event: TextEvent, before: RunState): string {
  if (!isClosing(event)) return event.text;
  const told = toldTextOf(event, before) ?? "";
  return event.text.startsWith(told) ? event.text.slice(told.length) : "";
}
