/** Logs to measure with, as the recorder writes them. */
import {
  callId,
  conversationId,
  createRecorder,
  messageId,
  partId,
  runId,
} from "../../../packages/run-log/dist/index.js";
import { textOf } from "../sdk/cases.js";

/** @typedef {import("../../../packages/run-log/dist/index.js").RunEvent} RunEvent */

export const run = runId("01234567-89ab-4def-8123-456789abcdef");
const message = messageId("11234567-89ab-4def-8123-456789abcdef");

/**
 * @param {number} stepMs How much time passes between two intents.
 */
function createWriter(stepMs) {
  let now = 1_800_000_000_000;
  const recorder = createRecorder(() => now);
  /** @type {RunEvent[]} */
  const log = [];
  return {
    log,
    /** @param {Parameters<typeof recorder.propose>[0]} intent */
    record(intent) {
      now += stepMs;
      const decision = recorder.propose(intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      log.push(...decision.events);
    },
  };
}

const start = /** @type {const} */ ({
  type: "startRun",
  runId: run,
  conversationId: conversationId("21234567-89ab-4def-8123-456789abcdef"),
  model: "openai:model",
});

/**
 * One answer of that many characters.
 *
 * @param {number} characters
 * @param {number} piece Characters in a delta.
 * @param {number} stepMs
 */
export function spokenLog(characters, piece, stepMs) {
  const writer = createWriter(stepMs);
  const text = textOf({ kind: "text", size: characters, delta: piece });
  writer.record(start);
  writer.record({ type: "openMessage", messageId: message, role: "assistant" });
  for (let at = 0; at < text.length; at += piece) {
    const part = { messageId: message, partId: partId("p"), text: text.slice(at, at + piece) };
    writer.record({ type: "appendText", ...part });
  }
  writer.record({ type: "closeRun", outcome: "ok" });
  return writer.log;
}

/**
 * A run that made that many calls, one in each answer.
 *
 * @param {number} calls
 */
export function callingLog(calls) {
  const writer = createWriter(5);
  writer.record(start);
  for (let turn = 0; turn < calls; turn++) {
    const own = messageId(`m${turn}`);
    const id = callId(`c${turn}`);
    writer.record({ type: "openMessage", messageId: own, role: "assistant" });
    writer.record({
      type: "openCall",
      messageId: own,
      callId: id,
      toolName: "read",
      toolType: "local",
    });
    writer.record({ type: "appendInput", callId: id, text: `{"path":"file-${turn}.ts"}` });
    writer.record({ type: "closeInput", callId: id });
    writer.record({ type: "startCall", callId: id });
    writer.record({ type: "closeCall", callId: id, outcome: "ok", output: "x".repeat(400) });
    writer.record({ type: "closeMessage", messageId: own });
  }
  writer.record({ type: "closeRun", outcome: "ok" });
  return writer.log;
}
