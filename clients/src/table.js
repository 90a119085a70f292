/** The table of docs/clients.md: what each client could do when it was last tried. */
import { readFileSync, writeFileSync } from "node:fs";

const paper = new URL("../../docs/clients.md", import.meta.url);
const marks = ["<!-- written by npm run test:clients -->", "<!-- end of the table -->"];

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} versions
 * @property {ReadonlyMap<string, string>} cells `✓`, `✗ reason` or `– reason`, by feature
 */

/** @param {readonly string[]} packages as they are named in package.json */
export function versionsOf(packages) {
  return packages
    .map((name) => {
      const file = new URL(`../node_modules/${name}/package.json`, import.meta.url);
      const found = JSON.parse(readFileSync(file, "utf8"));
      return `${found.name} ${found.version}`;
    })
    .join(", ");
}

/**
 * The rows that the paper has, with the versions that they were tried with.
 * @param {readonly string[]} features
 * @returns {Map<string, Row>}
 */
function writtenRows(features) {
  const lines = tableIn(readFileSync(paper, "utf8")).split("\n");
  const notes = new Map(lines.flatMap((line) => matched(/^(\d+)\. (.*)$/, line)));
  const versions = new Map(lines.flatMap((line) => matched(/^- (.*?): (.*)$/, line)));
  const known = lines.flatMap((line) => {
    const [name = "", ...shown] = line.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, ""));
    if (!line.startsWith("| ") || !versions.has(name)) return [];
    const cells = features.map((feature, index) => {
      const [mark = "–", note = ""] = (shown[index] ?? "–").split(" ");
      const reason = notes.get(note.replace(/[[\]]/g, ""));
      return [feature, reason === undefined ? mark : `${mark} ${reason}`];
    });
    return [[name, { name, versions: versions.get(name), cells: new Map(cells) }]];
  });
  return new Map(known);
}

function matched(pattern, line) {
  const [, key, value] = pattern.exec(line) ?? [];
  return key === undefined ? [] : [[key, value]];
}

function tableIn(text) {
  return text.split(marks[0])[1]?.split(marks[1])[0] ?? "";
}

/**
 * Writes the rows that were tried; those of the other clients stay as they were.
 * @param {readonly Row[]} tried
 * @param {readonly string[]} names of all clients, in order
 * @param {readonly string[]} features
 */
export function writeTable(tried, names, features) {
  const before = writtenRows(features);
  const rows = names.flatMap(
    (name) => tried.find((row) => row.name === name) ?? before.get(name) ?? [],
  );
  const notes = [];
  const noted = (text) => {
    if (!notes.includes(text)) notes.push(text);
    return `[${notes.indexOf(text) + 1}]`;
  };
  const lines = rows.map(({ name, cells }) => {
    const shown = features.map((feature) => {
      const [mark, ...reason] = (cells.get(feature) ?? "–").split(" ");
      return reason.length === 0 ? mark : `${mark} ${noted(escaped(reason.join(" ")))}`;
    });
    return `| ${[name, ...shown].join(" | ")} |`;
  });
  const table = [
    `| client | ${features.join(" | ")} |`,
    `|---${"|---".repeat(features.length)}|`,
    ...lines,
    "",
    ...notes.map((note, index) => `${index + 1}. ${note}`),
    "",
    "Versions:",
    "",
    ...rows.map(({ name, versions }) => `- ${name}: ${versions}`),
  ].join("\n");
  const text = readFileSync(paper, "utf8");
  const [head = "", rest = ""] = text.split(marks[0]);
  const [, tail = ""] = rest.split(marks[1]);
  writeFileSync(paper, `${head}${marks[0]}\n\n${table}\n\n${marks[1]}${tail}`);
}

function escaped(text) {
  return text.replaceAll(/\\?\|/g, "\\|").replaceAll("\n", " ").slice(0, 300);
}
