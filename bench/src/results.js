/** RESULTS.md: one section for each part, replaced when that part runs and kept otherwise. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { plots, withPlots, writePlots } from "./plotFiles.js";

const file = new URL("../RESULTS.md", import.meta.url);

const head = `# Bench results

Written by \`npm run bench\`. Each section names its machine, the time it took and, where times depend on it, the load. Where nothing
else is said, times are CPU time of the whole process (\`process.cpuUsage\`, helper threads included), best of several runs, after a warm-up.

To repeat a section in a fresh clone:

\`\`\`
npm ci && npm run bench -- <section>            # replaces the section and its plots
npm ci && npm run bench -- <section> --quick    # prints a shorter form and writes nothing
\`\`\`

Without a section all of them run. The peers are installed into \`bench/node_modules\` in the versions of \`bench/package-lock.json\`.
The plots are drawn from the tables: \`npm run bench -- plots\` draws them again.

| plot | section |
|---|---|
${plots.map(({ title, part }) => `| ${title} | [${part}](#${part}) |`).join("\n")}
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
