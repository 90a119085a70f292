/** The fields of an event without those that every event has: what surfaces pass on under a type of their own. */
import type { RunEvent } from "../../log/events/index.js";

export function eventBodyOf<T extends RunEvent>(
  event: T,
): Omit<T, "v" | "runId" | "seq" | "at" | "type"> {
  const { v: _, runId: __, seq: ___, at: ____, type: _____, ...body } = event;
  return body;
}
