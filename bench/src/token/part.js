/**
 * What a token costs: from the provider to the callbacks beside floor, door and peers in one run; at rest on
 * disk; in a server; in the prompts of a long run; when a session is opened; on the `stream-json` wire.
 */
import { availableParallelism, loadavg } from "node:os";
import { nameOf } from "../sdk/cases.js";
import { contenders } from "../sdk/contenders/index.js";
import { measured, startProvider } from "../sdk/processes.js";
import { atRest } from "./atRest.js";
import { atRestInDatabase } from "./atRestInDatabase.js";
import { openingASession } from "./opening.js";
import { promptsOfALongRun } from "./prompts.js";
import { serverDeltas } from "./serverDelta.js";
import { storedPerSecond } from "./storedPerSecond.js";
import { streamJsonBytes } from "./wire.js";

const LONGEST_MS = 240_000;

/**
 * @typedef {object} Bar
 * @property {string} bar
 * @property {boolean} isMet
 * @property {string} measured
 */

/** @param {{ quick: boolean, say: (line: string) => void }} options */
export async function run({ quick, say }) {
  const loads = [loadavg()[0] ?? 0];
  const cells = await sdkCells(quick ? 1e4 : 8e4, say);
  loads.push(loadavg()[0] ?? 0);
  const bars = [
    ...sdkBars(cells),
    await atRest(),
    await atRestInDatabase(),
    ...(await serverDeltas()),
    await storedPerSecond(),
    await promptsOfALongRun(),
    ...(await openingASession()),
    await streamJsonBytes(),
  ];
  for (const { bar, isMet, measured: found } of bars)
    say(`${isMet ? "met" : "MISSED"} ${bar}: ${found}`);
  return text(cells, bars, Math.max(...loads));
}

/**
 * @typedef {object} Cell
 * @property {string} of
 * @property {import("../sdk/contenders/index.js").Contender} contender
 * @property {number | undefined} time
 * @property {boolean} isRight
 */

/**
 * @param {number} size
 * @param {(line: string) => void} say
 */
async function sdkCells(size, say) {
  const provider = await startProvider();
  /** @type {Cell[]} */
  const cells = [];
  try {
    for (const kind of /** @type {const} */ (["write", "text"])) {
      const of = nameOf({ kind, size, delta: 4 });
      for (const contender of contenders.filter((one) => one.dialect === "openai")) {
        if (!contender.kinds.includes(kind)) continue;
        const limits = contender.role === "peer" ? ["1", "2e9"] : ["5", "3e9"];
        const told = await measured([contender.name, provider.origin, of, ...limits], LONGEST_MS);
        const cell = { of, contender, time: told?.time, isRight: told?.isRight ?? true };
        cells.push(cell);
        say(`${of} ${contender.name}: ${told === undefined ? "–" : `${ms(told.time)} ms`}`);
      }
    }
  } finally {
    provider.stop();
  }
  return cells;
}

/**
 * @param {readonly Cell[]} cells
 * @returns {Bar[]}
 */
function sdkBars(cells) {
  return [...new Set(cells.map(({ of }) => of))].flatMap((of) => {
    const own = cells.filter((cell) => cell.of === of);
    const timeOf = (/** @type {string} */ role) =>
      own.find(({ contender }) => contender.role === role)?.time ?? Number.NaN;
    const times = timeOf("whole") / timeOf("door");
    const peers = own.filter(({ contender }) => contender.role === "peer");
    const best = Math.min(...peers.map(({ time }) => time ?? Number.POSITIVE_INFINITY));
    return [
      {
        bar: `${of}: everything ≤ 2 × the door alone`,
        isMet: times <= 2,
        measured: `${times.toFixed(2)} ×`,
      },
      {
        bar: `${of}: ahead of every peer`,
        isMet: timeOf("whole") < best,
        measured: `${ms(timeOf("whole"))} ms, the best peer ${ms(best)} ms`,
      },
      {
        bar: `${of}: what came out is what was sent`,
        isMet: own.every(({ isRight }) => isRight),
        measured: `${own.filter(({ isRight }) => isRight).length} of ${own.length}`,
      },
    ];
  });
}

/**
 * @param {readonly Cell[]} cells
 * @param {readonly Bar[]} bars
 * @param {number} load
 */
function text(cells, bars, load) {
  const cores = availableParallelism();
  const busy =
    load > cores
      ? " That is more than the machine has: other work ran beside the bench, and every time here is higher than on a quiet machine."
      : "";
  return [
    `Load average: ${load.toFixed(1)} on ${cores} cores.${busy}`,
    "",
    "| bar | | measured |",
    "|---|---|---|",
    ...bars.map(
      ({ bar, isMet, measured: found }) =>
        `| ${bar} | ${isMet ? "met" : "**missed**"} | ${found} |`,
    ),
    "",
    "[docs/store.md](../docs/store.md#what-a-stored-event-costs) shows where the time of a stored event goes. A session of an older version has all its deltas as events.",
    "",
    "| CPU | ms |",
    "|---|---|",
    ...cells.map(
      ({ of, contender, time }) =>
        `| ${of}: ${contender.name} | ${time === undefined ? "–" : ms(time)} |`,
    ),
  ].join("\n");
}

/** @param {number} nanoseconds */
function ms(nanoseconds) {
  return (nanoseconds / 1e6).toFixed(1);
}
