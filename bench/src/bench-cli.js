/**
 * `npm run bench -- [part] [--quick]`: runs one part, or all of them, and writes RESULTS.md.
 * A part returns its section as Markdown; it never writes files itself. `plots` measures nothing: it draws the plots
 * of RESULTS.md again.
 */
import { machine } from "./machine.js";
import { drawPlots, writeSection } from "./results.js";

/**
 * @typedef {object} Part
 * @property {(options: { quick: boolean, flags: readonly string[], say: (line: string) => void }) => Promise<string>} run
 */

/** @type {Readonly<Record<string, () => Promise<Part>>>} */
const parts = {
  acp: () => import("./acp/part.js"),
  intake: () => import("./intake/part.js"),
  live: () => import("./live/part.js"),
  json: () => import("./json/part.js"),
  sdk: () => import("./sdk/part.js"),
  cli: () => import("./cli/part.js"),
  store: () => import("./store/part.js"),
  editor: () => import("./editor/part.js"),
  growth: () => import("./growth/part.js"),
  page: () => import("./page/part.js"),
  proxy: () => import("./proxy/part.js"),
  readers: () => import("./readers/part.js"),
  server: () => import("./server/part.js"),
  token: () => import("./token/part.js"),
};

const flags = process.argv.slice(2).filter((argument) => argument.startsWith("--"));
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const quick = flags.includes("--quick");

if (names.join() === "plots") {
  drawPlots();
  process.exit(0);
}

for (const name of names.length === 0 ? Object.keys(parts) : names) {
  const load = parts[name];
  if (load === undefined) {
    console.error(`No part "${name}"; there are: ${Object.keys(parts).join(", ")}, plots`);
    process.exit(1);
  }
  const part = await load();
  const started = performance.now();
  const section = await part.run({ quick, flags, say: (line) => console.log(line) });
  const seconds = Math.round((performance.now() - started) / 1000);
  const form = quick ? "quick form" : "full form";
  const head = `${machine()}; ${form}, ${seconds} s.`;
  if (quick) console.log(`\n${section}\n\n${head}\nRESULTS.md holds full runs only.`);
  else writeSection(name, `${head}\n\n${section}`);
}
