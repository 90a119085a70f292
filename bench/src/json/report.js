/** The json section of RESULTS.md: the bars first, met or not, then everything that was measured. */
import { rounded, sizeName } from "../format.js";
import { versionOf } from "../versions.js";
import { absent, limit, live, peers, snapshots } from "./contenders.js";

/** @typedef {import("./part.js").Cell} Cell */
/** @typedef {import("./contenders.js").Contender} Contender */

const LIVE_BAR = 3;
const SNAPSHOT_BAR = 6;

/**
 * @typedef {object} Measured
 * @property {readonly Cell[]} cells
 * @property {readonly Cell[]} flat
 * @property {Map<number, number>} copies Containers copied per delta, by the size of the delta.
 * @property {number} floor Nanoseconds for a container copied by code that knows its keys.
 * @property {number} load
 * @property {number} cores
 */

/**
 * @param {Measured} measured
 * @returns {string}
 */
export function report({ cells, flat, copies, floor, load, cores }) {
  return [
    intro(load, cores),
    bars(cells),
    why(cells, copies, floor),
    ...groupsOf(cells, (cell) => `${cell.workload}, ${sizeName(cell.size)}`).map(([title, group]) =>
      costTable(title, group),
    ),
    growthTable(cells),
    flatTable(flat),
  ].join("\n\n");
}

/**
 * @param {number} load
 * @param {number} cores
 */
function intro(load, cores) {
  const versions = peers.map(({ packageName }) => `${packageName} ${versionOf(packageName ?? "")}`);
  return `Nanoseconds of CPU time per character of text, with a current value after each delta, and in brackets the ratio to the
limit. \`write\` is one long string (a write_file call with source code), \`todo\` nested objects and arrays (lists of
at most 32). Every chunk is a flat string of its own; all contenders read the same chunks; each final value is compared
with \`JSON.parse\` (**wrong** if it differs). – marks a case that would take too long, by its growth in the smaller cases.
jsonriver and \`ai\` are asynchronous: their time includes the cost of awaiting. jsonriver, @streamparser/json and stream-json
change one value in place, like the live value; the others return a new value each time, like snapshots.

Load average, median over the run: ${load.toFixed(1)} on ${cores} cores.

Versions: ${versions.join(", ")}. Not on the registry: ${absent.join(", ")}.`;
}

/** @param {readonly Cell[]} cells */
function bars(cells) {
  const givers = peers.filter((peer) => peer.isInPlace !== true);
  const rows = [
    barRow(`live value ≤ ${LIVE_BAR} × the limit`, cells, live, LIVE_BAR),
    barRow(`snapshots ≤ ${SNAPSHOT_BAR} × the limit`, cells, snapshots, SNAPSHOT_BAR),
    aheadRow("live value ahead of every library", cells, live, peers),
    aheadRow("snapshots ahead of every library", cells, snapshots, peers),
    aheadRow("snapshots ahead of every library that gives new values", cells, snapshots, givers),
  ];
  return `### Bars\n\n| bar | cells that meet it | cells that do not |\n|---|---|---|\n${rows.join("\n")}`;
}

/**
 * @param {string} name
 * @param {readonly Cell[]} cells
 * @param {Contender} contender
 * @param {number} bar
 */
function barRow(name, cells, contender, bar) {
  const mine = cells.filter((cell) => cell.contender === contender);
  const missed = mine.filter((cell) => ratioOf(cells, cell) > bar);
  const list = missed.map((cell) => `${cellName(cell)} ${ratioOf(cells, cell).toFixed(1)} ×`);
  return `| ${name} | ${mine.length - missed.length} of ${mine.length} | ${list.join(", ") || "none"} |`;
}

/**
 * @param {string} name
 * @param {readonly Cell[]} cells
 * @param {Contender} contender
 * @param {readonly Contender[]} others
 */
function aheadRow(name, cells, contender, others) {
  const mine = cells.filter((cell) => cell.contender === contender);
  const behind = mine.flatMap((cell) =>
    cells
      .filter((other) => others.includes(other.contender) && isSamePlace(other, cell))
      .filter((other) => (other.time ?? Number.POSITIVE_INFINITY) < (cell.time ?? 0))
      .map(
        (other) =>
          `${cellName(cell)}: ${other.contender.name} (${other.isRight ? "right" : "wrong value"})`,
      ),
  );
  const count = new Set(behind.map((text) => text.split(":")[0])).size;
  return `| ${name} | ${mine.length - count} of ${mine.length} | ${behind.join(", ") || "none"} |`;
}

/**
 * @param {readonly Cell[]} cells
 * @param {Map<number, number>} copies
 * @param {number} floor
 */
function why(cells, copies, floor) {
  const rows = [...copies].map(([delta, count]) => {
    const at = (/** @type {Contender} */ contender) =>
      cells.find(
        (cell) =>
          cell.workload === "todo" &&
          cell.size === 1e5 &&
          cell.delta === delta &&
          cell.contender === contender,
      );
    const [cheapest, value, snapshot] = [at(limit), at(live), at(snapshots)].map(
      (cell) => ((cell?.time ?? 0) / (cell?.length ?? 1)) * delta,
    );
    const extra = (snapshot ?? 0) - (value ?? 0);
    const left = SNAPSHOT_BAR * (cheapest ?? 0) - (value ?? 0);
    return `| ${delta} | ${count.toFixed(1)} | ${extra.toFixed(0)} | ${(extra / count).toFixed(0)} | ${(left / count).toFixed(0)} |`;
  });
  return `### What a snapshot has to copy

A snapshot makes a new object for each container that is still open above a change; plain objects and arrays leave no
other way. Code written for just one shape, with lists of 16, needs ${floor.toFixed(0)} ns for each container. For \`todo\` at 100 KB, nanoseconds:

| delta | containers copied per delta | snapshots cost beyond the live value, per delta | per copied container | the bar leaves per container |
|---|---|---|---|---|
${rows.join("\n")}`;
}

/**
 * @param {string} title
 * @param {readonly Cell[]} cells
 */
function costTable(title, cells) {
  const deltas = [...new Set(cells.map((cell) => cell.delta))];
  const rows = groupsOf(cells, (cell) => cell.contender.name).map(([name, group]) => {
    const values = group.map((cell) => {
      if (cell.time === undefined) return "–";
      const ratio = ratioOf(cells, cell);
      const cost = `${rounded(cell.time / cell.length)} (${rounded(ratio)})`;
      return cell.isRight ? cost : `${cost} **wrong**`;
    });
    return `| ${name} | ${values.join(" | ")} |`;
  });
  const head = deltas.map((delta) => `by ${delta}`).join(" | ");
  return `### ${title}\n\n| | ${head} |\n|---|${"---|".repeat(deltas.length)}\n${rows.join("\n")}`;
}

/** @param {readonly Cell[]} cells */
function growthTable(cells) {
  const sizes = [...new Set(cells.map((cell) => cell.size))];
  const head = sizes
    .slice(1)
    .map((size, index) => `${sizeName(sizes[index] ?? 0)} to ${sizeName(size)}`);
  const rows = groupsOf(
    cells.filter((cell) => cell.delta === 1 || cell.delta === 16),
    (cell) => `${cell.workload} by ${cell.delta}, ${cell.contender.name}`,
  ).map(([name, group]) => {
    const values = group.slice(1).map((cell, index) => {
      const before = group[index];
      if (cell.time === undefined || before?.time === undefined) return "–";
      const growth = (cell.time / before.time) * ((10 * before.length) / cell.length);
      return growth.toFixed(1);
    });
    return `| ${name} | ${values.join(" | ")} |`;
  });
  return `### Growth: how many times the time for ten times the text (10 is linear)

| | ${head.join(" | ")} |
|---|${"---|".repeat(head.length)}
${rows.filter((row) => !row.endsWith("| – | – | – | – |")).join("\n")}`;
}

/** @param {readonly Cell[]} cells */
function flatTable(cells) {
  const rows = groupsOf(cells, (cell) => cell.contender.name).map(
    ([name, group]) =>
      `| ${name} | ${group.map((cell) => rounded((cell.time ?? 0) / cell.length)).join(" | ")} |`,
  );
  const sizes = [...new Set(cells.map((cell) => sizeName(cell.size)))];
  return `### One list that grows with the text, by 16

A snapshot copies the list for each delta that changes something in it, so its cost per character grows with the list. The
live value does not copy.

| ns per character | ${sizes.join(" | ")} |
|---|${"---|".repeat(sizes.length)}
${rows.join("\n")}`;
}

/**
 * @param {readonly Cell[]} cells
 * @param {Cell} cell
 */
function ratioOf(cells, cell) {
  const floor = cells.find((other) => other.contender === limit && isSamePlace(other, cell));
  return (cell.time ?? 0) / (floor?.time ?? Number.NaN);
}

/**
 * @param {Cell} left
 * @param {Cell} right
 */
function isSamePlace(left, right) {
  return left.workload === right.workload && left.size === right.size && left.delta === right.delta;
}

/** @param {Cell} cell */
function cellName(cell) {
  return `${cell.workload} ${sizeName(cell.size)} by ${cell.delta}`;
}

/**
 * @param {readonly Cell[]} cells
 * @param {(cell: Cell) => string} nameOf
 * @returns {[string, Cell[]][]}
 */
function groupsOf(cells, nameOf) {
  /** @type {Map<string, Cell[]>} */
  const groups = new Map();
  for (const cell of cells) groups.set(nameOf(cell), [...(groups.get(nameOf(cell)) ?? []), cell]);
  return [...groups];
}
