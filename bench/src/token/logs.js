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
 * @param {Partial<typeof start> & { text?: string, messageId?: typeof message }} [options] Default the same text in the same run.
 */
export function spokenLog(characters, piece, stepMs, options = {}) {
  const writer = createWriter(stepMs);
  const { text = textOf({ kind: "text", size: characters, delta: piece }), ...others } = options;
  const { messageId: own = message, ...ids } = others;
  writer.record({ ...start, ...ids });
  writer.record({ type: "openMessage", messageId: own, role: "assistant" });
  for (let at = 0; at < text.length; at += piece) {
    const part = { messageId: own, partId: partId("p"), text: text.slice(at, at + piece) };
    writer.record({ type: "appendText", ...part });
  }
  writer.record({ type: "closeRun", outcome: "ok" });
  return writer.log;
}

/**
 * Words as often as they are in a language: the n-th one of 20,000 with a chance of 1 / n.
 *
 * @param {number} characters
 * @param {() => number} random
 */
export function spokenText(characters, random) {
  let text = "";
  while (text.length < characters) {
    const rank = Math.floor(20_000 ** random());
    text += `${wordOf(rank)}${random() < 0.1 ? ". " : " "}`;
  }
  return text.slice(0, characters);
}

const syllables = [
  "an",
  "to",
  "re",
  "st",
  "in",
  "er",
  "al",
  "on",
  "ce",
  "ma",
  "ti",
  "ur",
  "le",
  "do",
  "ve",
  "qui",
];

/** @param {number} rank */
function wordOf(rank) {
  let word = "";
  for (let rest = rank; rest > 0; rest = Math.floor(rest / syllables.length)) {
    word += syllables[rest % syllables.length];
  }
  return word;
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
