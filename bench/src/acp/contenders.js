/**
 * What it costs to find out what of a call changed, event by event. Ours knows which field an event
 * touched. The other builds the whole call after each event and compares its fields with what was sent
 * last by their JSON, as claude-agent-acp and codex-acp do.
 */
import { createUpdateEngine } from "../../../packages/acp/dist/index.js";
import { evolve, initialState } from "../../../packages/run-log/dist/index.js";
import {
  createAcpProjection,
  createProjector,
} from "../../../packages/run-log/dist/projections/index.js";

/** @typedef {import("../../../packages/run-log/dist/index.js").RunEvent} RunEvent */

const stillClock = { now: () => 0, monotonic: () => 0, sleep: () => new Promise(() => undefined) };

/**
 * @param {1 | 2} version
 * @returns {(log: readonly RunEvent[]) => number} The number of updates that were made.
 */
function ours(version) {
  return (log) => {
    let updates = 0;
    const engine = createUpdateEngine({
      clock: stillClock,
      version,
      write: () => {
        updates += 1;
        return Promise.resolve();
      },
    });
    const projector = createProjector(createAcpProjection({ version, cwd: "/workspace" }));
    for (const event of log) {
      for (const output of projector.push(event)) {
        if (output.type === "update") engine.offer("s", output.update);
      }
    }
    engine.close();
    return updates;
  };
}

/**
 * @param {readonly RunEvent[]} log
 * @returns {number}
 */
function folding(log) {
  let state = initialState;
  for (const event of log) state = evolve(state, event);
  return state.seq;
}

/**
 * @param {(left: unknown, right: unknown) => boolean} isSame
 * @returns {(log: readonly RunEvent[]) => number}
 */
function comparing(isSame) {
  return (log) => {
    let updates = 0;
    /** @type {Record<string, unknown>} */
    let sent = {};
    /** @type {Record<string, unknown>} */
    let call = {};
    let input = "";
    let output = "";
    for (const event of log) {
      if (event.type === "call.opened") call = { title: event.toolName, status: "pending" };
      else if (event.type === "call.input.delta") {
        input += event.text;
        call = { ...call, rawInput: { text: input } };
      } else if (event.type === "call.input.closed") {
        call = { ...call, rawInput: event.parsed ? event.input : {}, title: "title" };
      } else if (event.type === "call.run.started") call = { ...call, status: "in_progress" };
      else if (event.type === "call.run.progressed" && event.progress.type === "output") {
        output += event.progress.text;
        call = { ...call, content: [{ type: "content", content: { type: "text", text: output } }] };
      } else if (event.type === "call.closed") call = { ...call, status: "completed" };
      const changed = Object.keys(call).filter((field) => !isSame(call[field], sent[field]));
      if (changed.length > 0) updates += 1;
      sent = { ...call };
    }
    return updates;
  };
}

const sameJson = (/** @type {unknown} */ left, /** @type {unknown} */ right) =>
  JSON.stringify(left) === JSON.stringify(right);

/** @type {readonly { name: string, run: (log: readonly RunEvent[]) => number }[]} */
export const contenders = [
  { name: "the fold of the log alone", run: folding },
  { name: "callboard v1: fold, projection, engine", run: ours(1) },
  { name: "callboard v2: fold, projection, engine", run: ours(2) },
  { name: "fields compared by JSON, without a log", run: comparing(sameJson) },
];
