/** Short words for the intents from which the tests of the streaming surfaces make their logs. */

import type { RunEvent } from "../../log/events/index.js";
import { approvalId, callId, conversationId, messageId, partId, runId } from "../../log/ids.js";
import type { CallEnding, IntentOf, ProgressReport, Timed } from "../../log/intents.js";
import { createRecorder } from "../../log/recorder.js";
import { withoutUndefined } from "../../values/optional.js";

type OpenedCall = Partial<Omit<Timed<IntentOf<"openCall">>, "type" | "callId" | "messageId">>;
type RunEnd = Omit<Timed<IntentOf<"closeRun">>, "type">;

/** The log of a run in which these intents were recorded, one millisecond apart. */
export function logOf(...intents: readonly Timed[]): readonly RunEvent[] {
  let now = 0;
  const recorder = createRecorder(() => now++);
  const run = { runId: runId("r"), conversationId: conversationId("c"), model: "rehearsal" };
  return [{ type: "startRun", ...run } as const, ...intents].flatMap((intent) => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    return decision.events;
  });
}

/** The same run as a reader sees it who was never sent a delta. */
export function withoutDeltas(log: readonly RunEvent[]): readonly RunEvent[] {
  const isDelta = (event: RunEvent): boolean =>
    event.type.endsWith(".delta") ||
    (event.type === "call.run.progressed" && event.progress.type === "output");
  return log.filter((event) => !isDelta(event)).map((event, at) => ({ ...event, seq: at + 1 }));
}

export const opened = (id: string, parent?: string): Timed => ({
  type: "openMessage",
  messageId: messageId(id),
  role: "assistant",
  ...(parent === undefined ? {} : { parentCallId: callId(parent) }),
});
export const closed = (id: string): Timed => ({ type: "closeMessage", messageId: messageId(id) });
export const asked = (text: string): readonly Timed[] => [
  { type: "openMessage", messageId: messageId("u"), role: "user" },
  { type: "appendText", messageId: messageId("u"), partId: partId("u1"), text },
  closed("u"),
];
export const said = (message: string, part: string, text: string): Timed => ({
  type: "appendText",
  messageId: messageId(message),
  partId: partId(part),
  text,
});
export const thought = (message: string, part: string, text: string): Timed => ({
  type: "appendReasoning",
  messageId: messageId(message),
  partId: partId(part),
  text,
});
export const called = (id: string, message: string, details: OpenedCall = {}): Timed => ({
  type: "openCall",
  callId: callId(id),
  messageId: messageId(message),
  toolName: "Read",
  toolType: "local",
  ...details,
});
export const gave = (id: string, text: string): Timed => ({
  type: "appendInput",
  callId: callId(id),
  text,
});
export const given = (id: string, text?: string): Timed => ({
  type: "closeInput",
  callId: callId(id),
  ...withoutUndefined({ text }),
});
export const began = (id: string): Timed => ({ type: "startCall", callId: callId(id) });
export const delegated = (id: string): Timed => ({
  type: "startCall",
  callId: callId(id),
  delegatedTo: "client",
});
export const parked: Timed = { type: "parkRun" };
export const progressed = (id: string, progress: ProgressReport): Timed => ({
  type: "progressCall",
  callId: callId(id),
  progress,
});
export const ended = (id: string, ending: CallEnding): Timed => ({
  type: "closeCall",
  callId: callId(id),
  ...ending,
});
export const ok = (id: string, output: string): Timed => ended(id, { outcome: "ok", output });
export const over = (end: RunEnd = { outcome: "ok" }): Timed => ({ type: "closeRun", ...end });
const approval = (
  id: string,
): { callId: ReturnType<typeof callId>; approvalId: ReturnType<typeof approvalId> } => ({
  callId: callId(id),
  approvalId: approvalId(`ask ${id}`),
});
export const wondered = (id: string): Timed => ({
  type: "askApproval",
  ...approval(id),
  options: [{ optionId: "once", name: "Allow", kind: "allow_once" }],
  reason: "it writes",
});
export const answered = (id: string, allowed: boolean): Timed => ({
  type: "answerApproval",
  ...approval(id),
  allowed,
  answeredBy: "user",
  ...(allowed ? {} : { message: "not today" }),
});
