/** The sdk section of RESULTS.md: the bars first, met or not, then everything that was measured. */
import { rounded, sizeName } from "../format.js";
import { versionOf } from "../versions.js";
import { deltasIn } from "./cases.js";

/** @typedef {import("./part.js").Cell} Cell */

const BEYOND_DOOR_MS = 200;
const GROWTH = 5;
const MICROSECONDS = 10;

const libraries = [
  "ai",
  "@ai-sdk/openai-compatible",
  "openai",
  "@anthropic-ai/sdk",
  "@mariozechner/pi-agent-core",
  "eventsource-parser",
];

/**
 * @param {{ cells: readonly Cell[], load: number, cores: number }} measured
 * @returns {string}
 */
export function report({ cells, load, cores }) {
  const groups = groupsOf(cells, ({ of }) => `${of.kind}, by ${of.delta}`);
  return [
    intro(load, cores),
    bars(cells),
    beyondDoor(cells),
    ...groups.map(([title, group]) => costTable(title, group)),
    ...groups.map(([title, group]) => growthTable(title, group)),
  ].join("\n\n");
}

/**
 * @param {number} load
 * @param {number} cores
 */
function intro(load, cores) {
  const versions = libraries.map((name) => `${name} ${versionOf(name)}`);
  const busy =
    load > cores
      ? " That is more than the machine has: other work ran beside the bench, and every time here is higher than on a quiet machine."
      : "";
  return `One answer from a local HTTP server in a process of its own, rendered before and sent as fast as the socket accepts it:
\`write\` is a write_file call whose arguments have that many characters, \`text\` is assistant text. All rows of a protocol read
the same bytes, each cell in a fresh process after a warm-up on 10 KB. Callboard, \`ai\` and pi also run the tool and make the
second request; the \`openai\` and Anthropic helpers have no loop. The output is compared with the input (**wrong** if
it differs). – marks a case that would take more than 60 s of CPU, by its growth in the smaller cases, or that did not end in time. Peers
run once if a run takes more than 2 s.

Load average, median over the run: ${load.toFixed(1)} on ${cores} cores.${busy}

Versions: ${versions.join(", ")}.`;
}

/** @param {readonly Cell[]} cells */
function bars(cells) {
  const whole = cells.filter(({ contender }) => contender.role === "whole");
  const at = whole.filter(({ of }) => of.kind === "write" && of.size === 8e4 && of.delta === 8);
  const rows = [
    ...at.map((cell) => {
      const beyond = (beyondOf(cells, cell) ?? Number.NaN) / 1e6;
      const name = `80 KB in 10,000 deltas: ≤ ${BEYOND_DOOR_MS} ms of CPU beyond the door (${cell.contender.dialect})`;
      return barRow(name, beyond <= BEYOND_DOOR_MS, `${rounded(beyond)} ms`);
    }),
    overAll(`< ${MICROSECONDS} µs per delta through log, blocks and callbacks`, whole, (cell) => {
      const beyond = beyondOf(cells, cell) ?? Number.NaN;
      const each = beyond / 1e3 / deltasIn(cell.of);
      return { isMet: each < MICROSECONDS, value: each, told: `${rounded(each)} µs` };
    }),
    overAll(
      `4 × the input: ≤ ${GROWTH} × the time`,
      whole.filter((cell) => growthTo(cells, cell) !== undefined),
      (cell) => {
        const growth = growthTo(cells, cell) ?? Number.NaN;
        return { isMet: growth <= GROWTH, value: growth, told: `${growth.toFixed(1)} ×` };
      },
    ),
    overAll("what came out is what was sent", cells.filter(isRun), (cell) => ({
      isMet: cell.isRight,
      value: cell.isRight ? 0 : 1,
      told: cell.isRight ? "" : cell.contender.name,
    })),
  ];
  return `### Bars\n\n| bar | | measured |\n|---|---|---|\n${rows.join("\n")}`;
}

/**
 * @param {string} name
 * @param {boolean} isMet
 * @param {string} told
 */
function barRow(name, isMet, told) {
  return `| ${name} | ${isMet ? "met" : "**missed**"} | ${told} |`;
}

/**
 * One bar over many cells: how many meet it, and which is the worst.
 *
 * @param {string} name
 * @param {readonly Cell[]} cells
 * @param {(cell: Cell) => { isMet: boolean, value: number, told: string }} judge
 */
function overAll(name, cells, judge) {
  const judged = cells.map((cell) => ({ cell, ...judge(cell) }));
  const met = judged.filter(({ isMet }) => isMet).length;
  const [worst] = [...judged].sort((left, right) => right.value - left.value);
  const told = worst?.told ? `; worst: ${placeName(worst.cell)} ${worst.told}` : "";
  return barRow(name, met === cells.length, `${met} of ${cells.length} cells${told}`);
}

/** @param {readonly Cell[]} cells */
function beyondDoor(cells) {
  const whole = cells.filter(({ contender }) => contender.role === "whole");
  const rows = whole.map((cell) => {
    const floor = sibling(cells, cell, "floor")?.time;
    const door = sibling(cells, cell, "door")?.time;
    const beyond = beyondOf(cells, cell);
    const count = deltasIn(cell.of);
    const columns = [
      count.toLocaleString("en"),
      ms(floor),
      ms(door),
      ms(cell.time),
      ms(beyond),
      beyond === undefined ? "–" : rounded(beyond / 1e3 / count),
      cell.time === undefined || floor === undefined ? "–" : rounded(cell.time / floor),
    ];
    return `| ${placeName(cell)} | ${columns.join(" | ")} |`;
  });
  return `### Callboard: what each part costs, ms of CPU

| | deltas | floor | the door alone | everything | beyond the door | µs per delta beyond the door | × floor |
|---|---|---|---|---|---|---|---|
${rows.join("\n")}`;
}

/**
 * @param {string} title
 * @param {readonly Cell[]} cells
 */
function costTable(title, cells) {
  const sizes = [...new Set(cells.map(({ of }) => of.size))];
  const rows = groupsOf(cells, ({ contender }) => contender.name).map(([name, group]) => {
    const values = group.map((cell) => {
      if (cell.time === undefined) return "–";
      const floor = sibling(cells, cell, "floor")?.time ?? Number.NaN;
      const each = rounded(cell.time / 1e3 / deltasIn(cell.of));
      const cost = `${ms(cell.time)} ms, ${each} µs, ${rounded(cell.time / floor)} ×`;
      return cell.isRight ? cost : `${cost} **wrong**`;
    });
    return `| ${name} | ${values.join(" | ")} |`;
  });
  return `### ${title}: CPU, per delta, × the floor of the same protocol

| | ${sizes.map(sizeName).join(" | ")} |
|---|${"---|".repeat(sizes.length)}
${rows.join("\n")}`;
}

/**
 * @param {string} title
 * @param {readonly Cell[]} cells
 */
function growthTable(title, cells) {
  const sizes = [...new Set(cells.map(({ of }) => of.size))];
  const head = sizes.slice(1).map((size, at) => `${sizeName(sizes[at] ?? 0)} to ${sizeName(size)}`);
  const rows = groupsOf(cells, ({ contender }) => contender.name).map(([name, group]) => {
    const values = group.slice(1).map((cell) => growthTo(cells, cell)?.toFixed(1) ?? "–");
    return `| ${name} | ${values.join(" | ")} |`;
  });
  return `### ${title}: growth, × the time for 4 × the input (4 is linear)

| | ${head.join(" | ")} |
|---|${"---|".repeat(head.length)}
${rows.join("\n")}`;
}

/**
 * The growth from the next smaller size, brought to a step of 4 where the step is another one.
 *
 * @param {readonly Cell[]} cells
 * @param {Cell} cell
 */
function growthTo(cells, cell) {
  const before = cells
    .filter(({ contender, of }) => contender === cell.contender && isSameShape(of, cell.of))
    .filter(({ of }) => of.size < cell.of.size)
    .at(-1);
  if (before?.time === undefined || cell.time === undefined) return undefined;
  const step = cell.of.size / before.of.size;
  return (cell.time / before.time) ** (Math.log(4) / Math.log(step));
}

/**
 * @param {readonly Cell[]} cells
 * @param {Cell} cell
 */
function beyondOf(cells, cell) {
  const door = sibling(cells, cell, "door")?.time;
  return door === undefined || cell.time === undefined ? undefined : cell.time - door;
}

/**
 * The cell of another role for the same bytes.
 *
 * @param {readonly Cell[]} cells
 * @param {Cell} cell
 * @param {import("./contenders/index.js").Contender["role"]} role
 */
function sibling(cells, { of, contender: { dialect } }, role) {
  return cells.find(
    (other) =>
      other.contender.role === role &&
      other.contender.dialect === dialect &&
      isSameShape(other.of, of) &&
      other.of.size === of.size,
  );
}

/**
 * @param {import("./cases.js").Case} left
 * @param {import("./cases.js").Case} right
 */
function isSameShape(left, right) {
  return left.kind === right.kind && left.delta === right.delta;
}

/** @param {Cell} cell */
function isRun({ time }) {
  return time !== undefined;
}

/** @param {Cell} cell */
function placeName({ of, contender }) {
  const protocol = contender.dialect === "anthropic" ? ", Anthropic's protocol" : "";
  return `${of.kind} ${sizeName(of.size)} by ${of.delta}${protocol}`;
}

/** @param {number | undefined} time */
function ms(time) {
  return time === undefined ? "–" : rounded(time / 1e6);
}

/**
 * @param {readonly Cell[]} cells
 * @param {(cell: Cell) => string} titleOf
 * @returns {[string, Cell[]][]}
 */
function groupsOf(cells, titleOf) {
  /** @type {Map<string, Cell[]>} */
  const groups = new Map();
  for (const cell of cells) groups.set(titleOf(cell), [...(groups.get(titleOf(cell)) ?? []), cell]);
  return [...groups];
}
