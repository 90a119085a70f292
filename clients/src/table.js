/** The table of docs/clients.md: what each client could do in the last run of all of them. */
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
 * @param {readonly Row[]} rows
 * @param {readonly string[]} features
 */
export function writeTable(rows, features) {
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
    ...notes.map((text, index) => `${index + 1}. ${text}`),
    "",
    "Versions:",
    "",
    ...rows.map(({ name, versions }) => `- ${name}: ${versions}`),
  ].join("\n");
  const before = readFileSync(paper, "utf8");
  const [head = "", rest = ""] = before.split(marks[0]);
  const [, tail = ""] = rest.split(marks[1]);
  writeFileSync(paper, `${head}${marks[0]}\n\n${table}\n\n${marks[1]}${tail}`);
}

function escaped(text) {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ").slice(0, 300);
}
