/** Which plots there are, and the files in bench/plots that hold them. They show the tables of RESULTS.md and measure nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { barChart, lineChart, numberIn, sizeIn, tableUnder } from "./plots.js";

const folder = new URL("../plots/", import.meta.url);

/** @type {readonly { name: string, part: string, title: string, draw: (text: string, title: string) => string }[]} */
export const plots = [
  {
    name: "json-write",
    part: "json",
    title: "Partial JSON: CPU for each character against the length of the text",
    draw: (text, title) => {
      const sizes = ["1 KB", "10 KB", "100 KB", "1 MB", "10 MB"];
      const tables = sizes.map((size) => tableUnder(text, `### write, ${size}`, ""));
      const names = tables[0]?.rows.map(({ name }) => name) ?? [];
      const lines = names.map((name) => ({
        name: name.replace(/^the limit: .*/, "the limit: one JSON.parse at the end"),
        points: tables.flatMap(({ columns, rows }, index) => {
          const cell = rows.find((row) => row.name === name)?.cells[columns.indexOf("by 16")] ?? "";
          return pointOf(sizeIn(sizes[index] ?? ""), numberIn(cell));
        }),
      }));
      return lineChart({
        title,
        note: "One long string in deltas of 16 characters. A line ends where a case would take too long.",
        across: "characters",
        up: "ns of CPU per character",
        lines,
      });
    },
  },
  {
    name: "sdk-write",
    part: "sdk",
    title: "A write_file call: CPU for each delta against the length of its arguments",
    draw: (text, title) => {
      const heading = "### write, by 8: CPU, per delta, × the floor of the same protocol";
      const { columns, rows } = tableUnder(text, heading, "");
      const lines = rows
        .filter(({ name }) => !name.startsWith("Anthropic"))
        .map(({ name, cells }) => ({
          name: name.replace(/^(floor): .*/, "$1"),
          points: cells.flatMap((cell, index) =>
            pointOf(sizeIn(columns[index] ?? ""), numberIn(cell, "µs")),
          ),
        }));
      return lineChart({
        title,
        note: "Deltas of 8 characters, OpenAI's protocol, the full form. A line ends where a case would take too long.",
        across: "characters of arguments",
        up: "µs of CPU per delta",
        lines,
      });
    },
  },
  {
    name: "wire",
    part: "server",
    title: "The same run on the wire, in times its text",
    draw: (text, title) => {
      const heading = "### The same run on the wire: 105 KB of text, 16 characters every 4 ms";
      const { rows } = tableUnder(text, heading, "stream");
      const bars = rows.flatMap(({ name, cells }) => [
        { name: ourBar(name), value: numberIn(cells[1] ?? "") ?? 0 },
      ]);
      return barChart({
        title,
        note: "Not compressed. Blue is what Callboard sends by default.",
        unit: "×",
        bars,
      });
    },
  },
  {
    name: "readers",
    part: "server",
    title: "One run to many readers: CPU of the server for each event that one reader receives",
    draw: (text, title) => {
      const { rows } = tableUnder(text, "### Fan-out", "readers");
      const line = (/** @type {string} */ name, /** @type {number} */ column) => ({
        name,
        points: rows.flatMap((row) => pointOf(sizeIn(row.name), numberIn(row.cells[column] ?? ""))),
      });
      return lineChart({
        title,
        note: "Over loopback. The floor is node:http writing the same bytes.",
        across: "readers",
        up: "µs of CPU per event and reader",
        lines: [line("Callboard", 0), line("bare node:http", 1)],
      });
    },
  },
  {
    name: "readers-memory",
    part: "readers",
    title: "Readers that wait: memory of the server against their number",
    draw: (text, title) => {
      const { rows } = tableUnder(text, "## readers", "readers");
      const line = (/** @type {string} */ name, /** @type {number} */ column) => ({
        name,
        points: rows.flatMap((row) => pointOf(sizeIn(row.name), numberIn(row.cells[column] ?? ""))),
      });
      return lineChart({
        title,
        note: "Each reader has its own connection to one run. The floor is node:http with the same connections.",
        across: "readers",
        up: "MB resident",
        lines: [line("Callboard", 0), line("bare node:http", 2)],
      });
    },
  },
  {
    name: "at-rest",
    part: "token",
    title: "A closed run at rest, in times its text",
    draw: (text, title) => {
      const { rows } = tableUnder(text, "## token", "bar");
      const bars = rows
        .filter(({ name }) => /^a closed run on disk|^closed runs in PostgreSQL/.test(name))
        .map(({ name, cells }) => ({
          name: name.startsWith("a")
            ? "Callboard, file"
            : "Callboard, PostgreSQL, beyond 8 KB a run",
          value: numberIn(cells[1] ?? "") ?? 0,
        }));
      return barChart({
        title,
        note: "The bars that are set: 2 × for a file, 4 × for PostgreSQL.",
        unit: "×",
        bars,
      });
    },
  },
];

/** @param {number} x @param {number | undefined} y @returns {[number, number][]} */
const pointOf = (x, y) => (y === undefined ? [] : [[x, y]]);

/** What is sent by default carries our name. @param {string} name */
const ourBar = (name) =>
  name.endsWith("30 lines a second")
    ? `Callboard: ${name}`
    : name.replace(/ \(as .*/, "").replace("every delta", "every delta sent");

/** Writes every plot. @param {string} results The text of RESULTS.md. */
export function writePlots(results) {
  mkdirSync(folder, { recursive: true });
  for (const { name, title, draw } of plots) {
    writeFileSync(new URL(`${name}.svg`, folder), draw(results, title));
  }
}

/** A section with its plots at its end, each once. @param {string} part @param {string} body */
export function withPlots(part, body) {
  const links = plots
    .filter((plot) => plot.part === part)
    .map(({ name, title }) => `![${title}](plots/${name}.svg)`)
    .filter((link) => !body.includes(link));
  return [body, ...links].join("\n\n");
}
