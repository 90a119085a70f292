/**
 * The SDK from the provider's bytes to the callbacks: one write_file call, and one long text, through
 * all of Callboard and through its peers, each in a fresh process. A peer is not run where, by its
 * growth so far, it would take too long.
 */
import { availableParallelism, loadavg } from "node:os";
import { nameOf } from "./cases.js";
import { contenders } from "./contenders/index.js";
import { measured, startProvider } from "./processes.js";
import { report } from "./report.js";

/** @typedef {import("./cases.js").Case} Case */
/** @typedef {import("./contenders/index.js").Contender} Contender */

/**
 * `time` is nanoseconds of CPU, undefined if it was not run or did not end.
 *
 * @typedef {object} Cell
 * @property {Case} of
 * @property {Contender} contender
 * @property {number | undefined} time
 * @property {boolean} isRight
 * @property {number} updates
 */

/** A peer's case that would take longer than this is omitted. */
const CAP = 60e9;
/** How long a client may take by the clock: a busy machine gives it only a part of its time. */
const LONGEST_MS = 240_000;

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const sizes = quick ? [1e4, 8e4] : [1e4, 8e4, 3.2e5, 1e6];
  const provider = await startProvider();
  /** @type {Cell[]} */
  const cells = [];
  /** @type {number[]} */
  const loads = [];
  try {
    for (const of of casesOf(sizes)) {
      for (const contender of contenders.filter(({ kinds }) => kinds.includes(of.kind))) {
        loads.push(loadavg()[0] ?? 0);
        const cell = await cellOf(provider.origin, of, contender, cells);
        cells.push(cell);
        say(line(cell));
      }
    }
  } finally {
    provider.stop();
  }
  return report({ cells, load: middle(loads), cores: availableParallelism() });
}

/**
 * @param {readonly number[]} sizes
 * @returns {Case[]}
 */
function casesOf(sizes) {
  return [
    ...sizes.map((size) => ({ kind: /** @type {const} */ ("write"), size, delta: 4 })),
    ...sizes.map((size) => ({ kind: /** @type {const} */ ("write"), size, delta: 8 })),
    ...sizes.map((size) => ({ kind: /** @type {const} */ ("text"), size, delta: 4 })),
  ];
}

/**
 * @param {string} origin
 * @param {Case} of
 * @param {Contender} contender
 * @param {readonly Cell[]} cells
 * @returns {Promise<Cell>}
 */
async function cellOf(origin, of, contender, cells) {
  const left = { of, contender, time: undefined, isRight: true, updates: 0 };
  const isPeer = contender.role === "peer";
  if (isPeer && expectedTime(cells, of, contender) > CAP) return left;
  const limits = isPeer ? ["1", "2e9"] : ["5", "3e9"];
  const told = await measured([contender.name, origin, nameOf(of), ...limits], LONGEST_MS);
  return told === undefined ? left : { of, contender, ...told };
}

/**
 * What this size will take, by the growth between the two sizes before it; unknown is taken as nothing.
 *
 * @param {readonly Cell[]} cells
 * @param {Case} of
 * @param {Contender} contender
 */
function expectedTime(cells, of, contender) {
  const known = cells
    .filter((cell) => cell.contender === contender)
    .filter((cell) => cell.of.kind === of.kind && cell.of.delta === of.delta);
  const [before, last] = known.slice(-2);
  if (before === undefined || last === undefined) return 0;
  if (before.time === undefined || last.time === undefined) return Number.POSITIVE_INFINITY;
  const power = Math.log(last.time / before.time) / Math.log(last.of.size / before.of.size);
  return last.time * (of.size / last.of.size) ** Math.max(1, power);
}

/** @param {readonly number[]} values */
function middle(values) {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0;
}

/** @param {Cell} cell */
function line({ of, contender, time, isRight, updates }) {
  const cost = time === undefined ? "–" : `${(time / 1e6).toFixed(1)} ms, ${updates} updates`;
  return `${nameOf(of)} ${contender.name}: ${cost}${isRight ? "" : " WRONG"}`;
}
