/** Logs of one call of any length, and what its updates cost when they are sent in plainer ways. */
import {
  callId,
  conversationId,
  createRecorder,
  messageId,
  runId,
} from "../../../packages/run-log/dist/index.js";

/** @typedef {import("../../../packages/run-log/dist/index.js").RunEvent} RunEvent */

const line = "line 0001: the quick brown fox jumps over the lazy dog 0123456\n";

/**
 * A command that prints so many lines.
 *
 * @param {number} lines
 * @returns {readonly RunEvent[]}
 */
export function printingLog(lines) {
  let now = 0;
  const recorder = createRecorder(() => now);
  /** @type {RunEvent[]} */
  const log = [];
  const record = (/** @type {Parameters<typeof recorder.propose>[0]} */ intent) => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    log.push(...decision.events);
  };
  const call = callId("call");
  const message = messageId("m");
  record({ type: "startRun", runId: runId("r"), conversationId: conversationId("s"), model: "m" });
  record({ type: "openMessage", messageId: message, role: "assistant" });
  record({
    type: "openCall",
    callId: call,
    messageId: message,
    toolName: "shell",
    toolType: "local",
    kind: "execute",
  });
  record({ type: "closeInput", callId: call, text: '{"command":"seq"}' });
  record({ type: "startCall", callId: call });
  for (let index = 0; index < lines; index++) {
    now += 20;
    record({ type: "progressCall", callId: call, progress: { type: "output", text: line } });
  }
  record({ type: "closeCall", callId: call, outcome: "ok", output: line.repeat(lines) });
  return log;
}

/**
 * What the output alone costs when each line is sent with all that came before it.
 *
 * @param {number} lines
 */
export function replacedBytes(lines) {
  return (line.length * lines * (lines + 1)) / 2 + 205 * lines;
}
