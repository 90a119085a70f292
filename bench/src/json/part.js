/**
 * Partial JSON: what a current value after every delta costs, beside the cheapest thing one could do
 * without one. A library is not run where, by its growth so far, it would take too long.
 */
import { cpus, loadavg } from "node:os";
import { isDeepStrictEqual } from "node:util";
import { createJsonReader } from "../../../packages/run-log/dist/partialJson/index.js";
import { cpuTime } from "../measure.js";
import { limit, live, peers, snapshots } from "./contenders.js";
import { report } from "./report.js";
import { spineFloor } from "./spineFloor.js";
import { chunksOf, flatText, todoText, writeText } from "./texts.js";

/** @typedef {import("./contenders.js").Contender} Contender */

/**
 * One measured cell; `time` is nanoseconds for the whole text, undefined if it was not run.
 *
 * @typedef {object} Cell
 * @property {string} workload
 * @property {number} size
 * @property {number} delta
 * @property {Contender} contender
 * @property {number} length
 * @property {number | undefined} time
 * @property {boolean} isRight
 */

const workloads = { write: writeText, todo: todoText };
const deltas = [1, 4, 16, 64];
const ours = [limit, live, snapshots];

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const sizes = quick ? [1e3, 1e4, 1e5] : [1e3, 1e4, 1e5, 1e6, 1e7];
  /** @type {Cell[]} */
  const cells = [];
  /** @type {number[]} */
  const loads = [];
  // Ours first and the libraries after, so that neither pays for the garbage of the other.
  for (const contenders of [ours, peers]) {
    const isOurs = contenders === ours;
    await warmUp(contenders, isOurs ? 4e4 : 600);
    // A library's case is omitted when it would take longer than `cap` nanoseconds.
    const cap = isOurs ? Number.POSITIVE_INFINITY : quick ? 2e8 : 1e9;
    // In turns, so that a busy moment of the machine does not fall on one side of a ratio only.
    const turns = isOurs ? 5 : 1;
    const limits = isOurs ? { runs: 2, budget: 2e8 } : { runs: 2, budget: 1e8 };
    for (const [workload, textOf] of Object.entries(workloads)) {
      for (const size of sizes) {
        const text = textOf(size);
        for (const delta of deltas) {
          const chunks = chunksOf(text, delta);
          /** @type {Cell[]} */
          const row = contenders.map((contender) => {
            const place = { workload, size, delta, contender, length: text.length };
            return { ...place, time: undefined, isRight: true };
          });
          for (let turn = 0; turn < turns; turn++) {
            for (const cell of row) {
              const { contender } = cell;
              if (expectedTime(cells, workload, delta, contender) > cap) continue;
              const { time, value } = await cpuTime(() => contender.read(chunks), limits);
              cell.time = Math.min(time, cell.time ?? time);
              cell.isRight &&= isDeepStrictEqual(value, JSON.parse(text));
            }
          }
          cells.push(...row);
          loads.push(loadavg()[0] ?? 0);
          say(line(row));
        }
      }
    }
  }
  const flat = [];
  for (const size of quick ? [1e3, 1e4, 1e5] : [1e3, 1e4, 1e5, 1e6]) {
    const text = flatText(size);
    const chunks = chunksOf(text, 16);
    for (const contender of ours) {
      const { time } = await cpuTime(() => contender.read(chunks), { runs: 3, budget: 2e8 });
      const place = { workload: "flat", size, delta: 16, contender, length: text.length };
      flat.push({ ...place, time, isRight: true });
    }
  }
  const load = loads.sort((left, right) => left - right)[Math.floor(loads.length / 2)] ?? 0;
  const copies = copiedContainers(todoText(1e5));
  return report({ cells, flat, copies, floor: await spineFloor(), load, cores: cpus().length });
}

/**
 * Lets the engine see every contender with every workload before anything is measured, so that no
 * cell profits from being the only shape it knows.
 *
 * @param {readonly Contender[]} contenders
 * @param {number} size
 */
async function warmUp(contenders, size) {
  for (let round = 0; round < 30; round++) {
    for (const textOf of [writeText, todoText]) {
      for (const delta of deltas) {
        const chunks = chunksOf(textOf(size), delta);
        for (const contender of contenders) await contender.read(chunks);
      }
    }
  }
}

/**
 * What the next larger size will take, by the last size and the growth up to it; at least ten times,
 * and a hundred times when only one size is known of a library that may be quadratic.
 *
 * @param {readonly Cell[]} cells
 * @param {string} workload
 * @param {number} delta
 * @param {Contender} contender
 */
function expectedTime(cells, workload, delta, contender) {
  const times = cells
    .filter((cell) => cell.workload === workload && cell.delta === delta)
    .filter((cell) => cell.contender === contender)
    .map((cell) => cell.time);
  if (times.length === 0) return 0;
  const last = times.at(-1);
  if (last === undefined) return Number.POSITIVE_INFINITY;
  const before = times.at(-2);
  return last * (before === undefined ? 30 : Math.max(10, last / before));
}

/** @param {readonly Cell[]} cells */
function line(cells) {
  const [first] = cells;
  const costs = cells.map((cell) =>
    cell.time === undefined ? "–" : (cell.time / cell.length).toFixed(1),
  );
  return `${first?.workload} ${first?.length} characters by ${first?.delta}: ${costs.join(" ")} ns`;
}

/**
 * How many containers a snapshot copies on average, by the size of the delta.
 *
 * @param {string} text
 * @returns {Map<number, number>}
 */
function copiedContainers(text) {
  const counts = new Map();
  for (const delta of deltas) {
    const reader = createJsonReader();
    const chunks = chunksOf(text, delta);
    let count = 0;
    let before = reader.snapshot();
    for (const chunk of chunks) {
      reader.push(chunk);
      const after = reader.snapshot();
      count += newContainers(before, after);
      before = after;
    }
    counts.set(delta, count / chunks.length);
  }
  return counts;
}

/**
 * The containers of `after` on the way to its last value that `before` does not have.
 *
 * @param {unknown} before
 * @param {unknown} after
 */
function newContainers(before, after) {
  let count = 0;
  let [old, now] = [before, after];
  while (typeof now === "object" && now !== null && now !== old) {
    count++;
    const key = Object.keys(now).at(-1);
    if (key === undefined) break;
    old = Object(old)[key];
    now = Object(now)[key];
  }
  return count;
}
