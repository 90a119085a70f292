/**
 * How much of each open text a surface has told. A closing tells what no delta told: nothing when
 * every delta arrived, everything when the log has none.
 */
import type { EventOf } from "./events/index.js";
import type { PartId } from "./ids.js";

export type Told = ReadonlyMap<PartId, number>;

export type TextEvent = EventOf<
  "text.delta" | "text.closed" | "reasoning.delta" | "reasoning.closed"
>;

export function isClosing(event: TextEvent): event is EventOf<"text.closed" | "reasoning.closed"> {
  return event.type === "text.closed" || event.type === "reasoning.closed";
}

export function isReasoning(event: TextEvent): boolean {
  return event.type === "reasoning.delta" || event.type === "reasoning.closed";
}

export function toldAfter(
  told: Told,
  event: TextEvent,
): { readonly told: Told; readonly chunk: string } {
  const before = told.get(event.partId) ?? 0;
  const next = new Map(told);
  if (isClosing(event)) {
    next.delete(event.partId);
    return { told: next, chunk: event.text.slice(before) };
  }
  return { told: next.set(event.partId, before + event.text.length), chunk: event.text };
}
