/**
 * The first parse of a payload: JSON or not, and whether it is one of the server's own remarks about the stream
 * (heartbeat, closed, reset) that every format shares.
 */

import { resetSchema } from "@callboard/run-log/http";
import { messageOfError } from "@callboard/run-log/values";
import type { Frame } from "./frames.js";
import { type MalformedNotice, malformed, type ResetNotice } from "./notices.js";

export type Payload =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "notice"; readonly notice: MalformedNotice }
  /** Half a line at the end of a connection: it comes again whole. */
  | { readonly type: "nothing" };

export function payloadOf(frame: Extract<Frame, { type: "payload" }>): Payload {
  try {
    return { type: "value", value: JSON.parse(frame.text) };
  } catch (error) {
    if (frame.isUnfinished) return { type: "nothing" };
    const problem = `not JSON: ${messageOfError(error)}`;
    return { type: "notice", notice: malformed(problem, frame.text) };
  }
}

/** A remark about the connection alone: that it is alive, or why the server ends it. A client that reconnects gets the reason. */
export function isRemark(value: unknown): boolean {
  const name = eventNameOf(value);
  return name === "heartbeat" || (name === "closed" && !namesWhat(value));
}

/** On a stream of many runs one of them, or a conversation, may be closed without the others. */
function namesWhat(value: unknown): boolean {
  return (
    typeof value === "object" && value !== null && ("conversation_id" in value || "run_id" in value)
  );
}

export function resetOf(value: unknown): ResetNotice | undefined {
  if (eventNameOf(value) !== "reset") return undefined;
  return resetSchema.safeParse(value).data;
}

/** The `event` of an envelope; absent for what has none, such as an event of the log. */
export function eventNameOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || !("event" in value)) return undefined;
  return typeof value.event === "string" ? value.event : undefined;
}
