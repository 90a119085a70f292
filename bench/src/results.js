/** RESULTS.md: one section for each part, replaced when that part runs and kept otherwise. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = new URL("../RESULTS.md", import.meta.url);

const head = `# Bench results

Written by \`npm run bench\`. CPU time of the whole process (\`process.cpuUsage\`, helper threads included), best of several
runs, after a warm-up.
`;

/**
 * @param {string} name
 * @param {string} body
 */
export function writeSection(name, body) {
  const sections = new Map(read());
  sections.set(name, body.trim());
  const text = [...sections].map(([title, section]) => `\n## ${title}\n\n${section}\n`);
  writeFileSync(file, head + text.join(""));
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
