/** What the tests of sessions share: silent loggers and a writer. Nothing here is for programs. */
import {
  callId,
  conversationId,
  createRecorder,
  messageId,
  partId,
  type RunEvent,
  type RunId,
  type Timed,
} from "@callboard/run-log";
import type { Clock } from "../../types/clock.js";
import type { Logger } from "../../types/logger.js";

export interface Remark {
  readonly level: keyof Logger;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A logger that keeps its entries. */
export function createListener(): Logger & { readonly heard: readonly Remark[] } {
  const heard: Remark[] = [];
  const hear =
    (level: keyof Logger) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      heard.push(fields === undefined ? { level, message } : { level, message, fields });
    };
  return {
    heard,
    debug: hear("debug"),
    info: hear("info"),
    warn: hear("warn"),
    error: hear("error"),
  };
}

/** A clock that does not move. */
export function createStillClock(now = 1_800_000_000_000): Clock {
  return { now: () => now, monotonic: () => now, sleep: async () => {} };
}

/** The batches in which a writer would append a run with `calls` calls, the last of them nested. */
export function batchesOf(
  runId: RunId,
  calls: number,
  outputBytes = 40,
): readonly (readonly RunEvent[])[] {
  let now = 1_800_000_000_000;
  const recorder = createRecorder(() => {
    now += 7;
    return now;
  });
  const batches: RunEvent[][] = [];
  let batch: RunEvent[] = [];
  const record = (...intents: readonly Timed[]): void => {
    for (const intent of intents) {
      const decision = recorder.propose(intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      batch.push(...decision.events);
    }
    batches.push(batch);
    batch = [];
  };
  const asked = messageId("asked");
  const said = messageId("said");
  const conversation = conversationId("conv_sessions");
  record(
    { type: "startRun", runId, conversationId: conversation, model: "rehearsal" },
    { type: "openMessage", messageId: asked, role: "user" },
    { type: "appendText", messageId: asked, partId: partId("question"), text: "Wie spät ist es?" },
    { type: "closeMessage", messageId: asked },
  );
  record({ type: "openMessage", messageId: said, role: "assistant" });
  for (let count = 1; count <= calls; count += 1) {
    const id = callId(`call_${count}`);
    const nested =
      count === calls && count > 1 ? { parentCallId: callId(`call_${count - 1}`) } : {};
    const opening = { messageId: said, toolName: "shell", toolType: "local", ...nested } as const;
    record({ type: "openCall", callId: id, ...opening });
    record({ type: "appendInput", callId: id, text: '{"command":"dat' });
    record({ type: "appendInput", callId: id, text: 'e"}' });
    record({ type: "closeInput", callId: id }, { type: "startCall", callId: id });
    const text = "é".repeat(outputBytes / 2);
    record({ type: "progressCall", callId: id, progress: { type: "output", text } });
    const isParent = count === calls - 1;
    if (!isParent) record({ type: "closeCall", callId: id, outcome: "ok", output: text });
  }
  record({ type: "closeRun", outcome: "ok" });
  return batches;
}
