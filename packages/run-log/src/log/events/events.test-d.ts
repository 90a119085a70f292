/** Compiled, never run: the types inferred from the schema hold what the schema says. */
import type { CallId, MessageId } from "../ids.js";
import type { EventOf, RunEvent } from "./index.js";

export const outputOf = (event: EventOf<"call.closed">): string =>
  event.outcome === "ok" ? event.output : event.message;

export const inputOf = (event: EventOf<"call.input.closed">): unknown =>
  event.parsed ? event.input : event.problem;

// @ts-expect-error a failed call may have no output
export const failedOutput = (event: EventOf<"call.closed">): string => event.output;

export function branded(callId: CallId, use: (messageId: MessageId) => void): void {
  // @ts-expect-error a call id is not a message id
  use(callId);
  // @ts-expect-error nor is any text
  use("message");
}

export function readonlyEvent(event: RunEvent): void {
  // @ts-expect-error events are facts
  event.seq = 1;
}
