/** The store section of RESULTS.md: the bars first, met or not, then everything that was measured. */
import { rounded } from "../format.js";

/** @typedef {import("./writing.js").Written} Written */
/** @typedef {import("./reading.js").Reading} Reading */
/** @typedef {import("./reading.js").LongRun} LongRun */

/**
 * @param {object} measured
 * @param {readonly Written[]} measured.written
 * @param {readonly Reading[]} measured.read
 * @param {readonly LongRun[]} measured.long
 * @param {readonly import("./starting.js").Start[]} measured.starts
 * @param {{ few: number, many: number }} measured.conversations
 * @param {number} measured.load
 * @param {number} measured.cores
 * @returns {string}
 */
export function report({ written, read, long, starts, conversations, load, cores }) {
  const busy =
    load > cores
      ? " Other work ran beside the bench: every time here is higher than on a quiet machine."
      : "";
  return [
    `PostgreSQL on the same machine with every commit flushed to the disk; PGlite flushes nothing. A run here is messages, streamed
arguments and streamed output; the store writes its events and its rows in one transaction, the plain inserts write the same
bytes of events and nothing else. CPU is that of this process, without the server's. Load average up to ${load.toFixed(1)} on ${cores} cores.${busy}`,
    barsOf({ written, long, starts }),
    table(
      "Writing",
      ["database", "way", "events/s", "CPU per event, µs"],
      written.map(({ place, name, perSecond, cpu }) => [
        place,
        name,
        rounded(perSecond),
        cpu.toFixed(1),
      ]),
    ),
    table(
      "A run of 51,200 events",
      ["database", "first 1,000, ms", "all of them, ms", "replayed as tool events, ms"],
      long.map(({ place, page, whole, replay }) => [place, ...[page, whole, replay].map(rounded)]),
    ),
    table(
      "A conversation of 300 calls, read by its user",
      ["database", "way", `among ${conversations.few} such, ms`, `among ${conversations.many}, ms`],
      read.map(({ place, name, few, many }) => [place, name, rounded(few), rounded(many)]),
    ),
    table(
      "Starting embedded",
      ["", "ms", "memory, MB"],
      starts.map(({ name, time, memory }) => [name, rounded(time), rounded(memory)]),
    ),
  ].join("\n\n");
}

/** @param {{ written: readonly Written[], long: readonly LongRun[], starts: readonly import("./starting.js").Start[] }} measured */
function barsOf({ written, long, starts }) {
  const of = (/** @type {string} */ name) =>
    written.find((one) => one.place === "PostgreSQL" && one.name.startsWith(name));
  const group = of("store, 64 runs");
  const single = of("store, one run, one commit");
  const times = (group?.perSecond ?? 0) / (single?.perSecond ?? 1);
  const rows = [
    ["group commit is at least 5 × one commit for each event", `${times.toFixed(1)} ×`, times >= 5],
    ...long.map(({ place, whole }) => [
      `${place} opens 51,200 events in under 2 s`,
      `${rounded(whole)} ms`,
      whole < 2000,
    ]),
    [
      "a first embedded start takes about a second",
      `${rounded(starts[0]?.time ?? 0)} ms`,
      (starts[0]?.time ?? 0) < 1500,
    ],
  ];
  return table(
    "Bars",
    ["bar", "measured", "met"],
    rows.map(([bar, figure, isMet]) => [String(bar), String(figure), isMet ? "yes" : "no"]),
  );
}

/**
 * @param {string} title
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(title, head, rows) {
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |`;
  return [`### ${title}`, "", line(head), line(head.map(() => "---")), ...rows.map(line)].join(
    "\n",
  );
}
