/** The server section of RESULTS.md. */
import { rounded } from "../format.js";

/**
 * @param {object} measured
 * @param {readonly import("./fanOut.js").FanOut[]} measured.fanOuts
 * @param {readonly import("./wireBytes.js").Wire[]} measured.wires
 * @param {number} measured.text
 * @param {import("./manyRuns.js").ManyRuns} measured.many
 * @param {number} measured.load
 * @param {number} measured.cores
 * @returns {string}
 */
export function report({ fanOuts, wires, text, many, load, cores }) {
  const busy =
    load > cores
      ? " Other work ran beside the bench: times are higher than on a quiet machine."
      : "";
  const ours = fanOuts.filter(({ server }) => server === "Callboard");
  const floor = (/** @type {number} */ readers) =>
    fanOuts.find((one) => one.server !== "Callboard" && one.readers === readers);
  return [
    `One run to many readers over loopback: the server's CPU for each event that one reader receives. The floor is \`node:http\` writing
the same bytes. Load average ${load.toFixed(1)} on ${cores} cores.${busy}`,
    table(
      "Fan-out",
      ["readers", "Callboard, µs CPU", "bare node:http, µs CPU", "ratio", "Callboard, events/s"],
      ours.map(({ readers, cpu, perSecond }) => {
        const bare = floor(readers)?.cpu ?? Number.NaN;
        return [
          String(readers),
          cpu.toFixed(1),
          bare.toFixed(1),
          (cpu / bare).toFixed(2),
          rounded(perSecond),
        ];
      }),
    ),
    table(
      `The same run on the wire: ${rounded(text / 1_000)} KB of text, 16 characters every 4 ms`,
      ["stream", "KB", "× the text", "gzipped, KB", "× the text", "lines"],
      wires.map(({ name, bytes, zipped, lines }) => [
        name,
        rounded(bytes / 1_000),
        (bytes / text).toFixed(2),
        rounded(zipped / 1_000),
        (zipped / text).toFixed(2),
        lines.toLocaleString("en"),
      ]),
    ),
    `**Many runs:** ${many.runs.toLocaleString("en")} runs at once on one node with PostgreSQL, each with a call of a second and a reader: ${many.ok} ended
well, ${many.seconds.toFixed(1)} s in all, ${many.cpuEach.toFixed(1)} ms of CPU for each (client included).`,
  ].join("\n\n");
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
