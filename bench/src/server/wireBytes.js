/**
 * The same run in every format: how many bytes go over the wire beside the text itself. The run writes a
 * file: 100 KB of arguments in 16-character deltas 4 ms apart, and an answer of 5 KB.
 */
import { once } from "node:events";
import { createRecorder } from "../../../packages/run-log/dist/index.js";
import { createCompressor } from "../../../packages/server/dist/streams/compression.js";
import { createLines, framed } from "../../../packages/server/dist/streams/format.js";

/**
 * @typedef {object} Wire
 * @property {string} name
 * @property {number} bytes
 * @property {number} zipped As gzip, each line flushed.
 * @property {number} lines
 */

const deltaMs = 4;

/**
 * Text that compresses about as prose does: words of random letters, the short ones often.
 *
 * @param {number} length
 * @param {number} seed
 */
function prose(length, seed) {
  let state = seed;
  const next = (/** @type {number} */ n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % n;
  };
  const words = Array.from({ length: 3_000 }, (_, rank) =>
    Array.from({ length: 2 + (rank >> 8) + next(4) }, () => "etaoinshrdlu"[next(12)]).join(""),
  );
  let text = "";
  while (text.length < length) text += `${words[next(1 + next(words.length))]} `;
  return text.slice(0, length);
}

/** @returns {{ log: import("../../../packages/run-log/dist/index.js").RunEvent[], text: number }} */
export function writtenRun() {
  let now = 1_800_000_000_000;
  const recorder = createRecorder(() => now);
  /** @type {import("../../../packages/run-log/dist/index.js").RunEvent[]} */
  const log = [];
  /** @param {any} intent */
  const record = (intent) => {
    now += deltaMs;
    const decision = recorder.propose(intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    log.push(...decision.events);
  };
  const input = JSON.stringify({ path: "notes.txt", content: prose(100_000, 1) });
  const answer = prose(5_000, 2);
  record({ type: "startRun", runId: "run", conversationId: "conversation", model: "bench" });
  record({ type: "openMessage", messageId: "m1", role: "assistant" });
  record({
    type: "openCall",
    messageId: "m1",
    callId: "call_1",
    toolName: "write_file",
    toolType: "local",
    openedBy: "model",
  });
  for (let at = 0; at < input.length; at += 16) {
    record({ type: "appendInput", callId: "call_1", text: input.slice(at, at + 16) });
  }
  record({ type: "closeInput", callId: "call_1", text: input });
  record({ type: "startCall", callId: "call_1" });
  record({ type: "closeCall", callId: "call_1", outcome: "ok", output: "written" });
  record({ type: "closeMessage", messageId: "m1" });
  record({ type: "openMessage", messageId: "m2", role: "assistant" });
  for (let at = 0; at < answer.length; at += 16) {
    record({ type: "appendText", messageId: "m2", partId: "p1", text: answer.slice(at, at + 16) });
  }
  record({ type: "closeMessage", messageId: "m2" });
  record({ type: "closeRun", outcome: "ok" });
  return { log, text: input.length + answer.length };
}

/**
 * @param {readonly string[]} lines
 * @returns {Promise<number>}
 */
async function zippedSize(lines) {
  const gzip = createCompressor("gzip");
  let bytes = 0;
  gzip.on("data", (piece) => {
    bytes += piece.length;
  });
  for (const line of lines) {
    await new Promise((resolve) => gzip.write(line, resolve));
  }
  gzip.end();
  await once(gzip, "end");
  return bytes;
}

/**
 * @param {import("../../../packages/server/dist/streams/format.js").Format} format
 * @param {"ndjson" | "sse"} framing
 * @param {number | undefined} rate
 * @param {readonly import("../../../packages/run-log/dist/index.js").RunEvent[]} log
 * @param {string} name
 * @returns {Promise<Wire>}
 */
export async function wireOf(name, format, framing, rate, log) {
  const form = {
    format,
    framing,
    rate,
    toolEvents: /** @type {const} */ ("v2"),
    streamArguments: true,
  };
  const maker = createLines(form);
  const windowMs = rate === undefined ? 0 : 1_000 / rate;
  /** @type {{ draft: any, text: string, seq: number } | undefined} */
  let held;
  let heldSince = 0;
  /** @type {string[]} */
  const lines = [];
  const emit = (/** @type {any} */ draft, /** @type {any} */ grown) => {
    const line = {
      ...draft,
      from: draft.seq,
      json: draft.json(grown),
      seq: grown?.seq ?? draft.seq,
    };
    lines.push(framed(line, framing));
  };
  const flush = () => {
    if (held) emit(held.draft, { text: held.text, seq: held.seq });
    held = undefined;
  };
  for (const event of log) {
    if (held && event.at - heldSince >= windowMs) flush();
    for (const draft of maker.push(event)) {
      const isSame = held && draft.delta && held.draft.delta.target === draft.delta.target;
      if (isSame && held) {
        held.text += draft.delta?.text ?? "";
        held.seq = draft.seq;
        continue;
      }
      flush();
      if (!draft.delta || windowMs === 0) emit(draft, undefined);
      else {
        held = { draft, text: draft.delta.text, seq: draft.seq };
        heldSince = event.at;
      }
    }
  }
  flush();
  const bytes = Buffer.byteLength(lines.join(""));
  return { name, bytes, zipped: await zippedSize(lines), lines: lines.length };
}
