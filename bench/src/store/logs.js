/** Runs to write: what an agent's log looks like, in the batches in which it is appended. */
import { randomUUID } from "node:crypto";
import { createRecorder } from "../../../packages/run-log/dist/index.js";

/** @typedef {import("../../../packages/run-log/dist/index.js").RunEvent} RunEvent */

/**
 * A run whose answers are `calls` tool calls, each with streamed arguments and streamed output.
 *
 * @param {{ conversationId: string, calls: number, deltas?: number }} shape
 * @returns {RunEvent[]}
 */
export function runOf({ conversationId, calls, deltas = 8 }) {
  const runId = randomUUID();
  let now = 1_800_000_000_000;
  const recorder = createRecorder(() => (now += 3));
  /** @type {RunEvent[]} */
  const events = [];
  /** @param {import("../../../packages/run-log/dist/index.js").Timed} intent */
  const record = (intent) => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    events.push(...decision.events);
  };
  /** @param {any} intent */
  const say = (intent) => record(intent);
  say({ type: "startRun", runId, conversationId, model: "bench" });
  const asked = randomUUID();
  say({ type: "openMessage", messageId: asked, role: "user" });
  say({
    type: "appendText",
    messageId: asked,
    partId: `${asked}-1`,
    text: "Read the sources, please.",
  });
  say({ type: "closeMessage", messageId: asked });
  for (let call = 0; call < calls; call++) {
    const said = randomUUID();
    const callId = `call_${runId.slice(0, 8)}_${call}`;
    say({ type: "openMessage", messageId: said, role: "assistant" });
    for (let delta = 0; delta < deltas; delta++) {
      say({
        type: "appendText",
        messageId: said,
        partId: `${said}-1`,
        text: "some words of the answer ",
      });
    }
    say({ type: "openCall", callId, messageId: said, toolName: "read_file", toolType: "local" });
    for (const text of ['{"file_', 'path":"src/', `part_${call}.ts`, '","from":1', "}"]) {
      say({ type: "appendInput", callId, text });
    }
    say({ type: "closeInput", callId });
    say({ type: "closeMessage", messageId: said });
    say({ type: "startCall", callId });
    for (let delta = 0; delta < deltas; delta++) {
      say({
        type: "progressCall",
        callId,
        progress: { type: "output", text: "const line = 1;\n".repeat(8) },
      });
    }
    say({
      type: "closeCall",
      callId,
      outcome: "ok",
      output: "const line = 1;\n".repeat(8 * deltas),
    });
  }
  say({ type: "closeRun", outcome: "ok" });
  return events;
}

/**
 * @template Value
 * @param {readonly Value[]} values
 * @param {number} size
 * @returns {Value[][]}
 */
export function batchesOf(values, size) {
  const batches = [];
  for (let from = 0; from < values.length; from += size)
    batches.push(values.slice(from, from + size));
  return batches;
}
