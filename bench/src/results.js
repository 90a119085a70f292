/** RESULTS.md: one section for each part, replaced when that part runs and kept otherwise. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { withPlots, writePlots } from "./plotFiles.js";

const file = new URL("../RESULTS.md", import.meta.url);

const head = `# Bench results

Written by \`npm run bench\`. CPU time of the whole process (\`process.cpuUsage\`, helper threads included), best of several
runs, after a warm-up. The plots are drawn from these tables: \`npm run bench -- plots\` draws them again.
`;

/**
 * @param {string} name
 * @param {string} body
 */
export function writeSection(name, body) {
  write(new Map(read()).set(name, body.trim()));
}

/** Draws the plots from the tables as they stand, and links those that are not linked yet. */
export function drawPlots() {
  write(new Map(read()));
}

/** @param {ReadonlyMap<string, string>} sections */
function write(sections) {
  const text = [...sections].map(
    ([title, section]) => `\n## ${title}\n\n${withPlots(title, section)}\n`,
  );
  writeFileSync(file, head + text.join(""));
  writePlots(head + text.join(""));
}

/** @returns {[string, string][]} */
function read() {
  if (!existsSync(file)) return [];
  const [, ...sections] = readFileSync(file, "utf8").split(/^## /m);
  return sections.map((section) => {
    const end = section.indexOf("\n");
    return [section.slice(0, end).trim(), section.slice(end).trim()];
  });
}
