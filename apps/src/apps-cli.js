/**
 * `npm run test:apps [-- words of a name …]`: runs real apps of other agent libraries against a scripted provider,
 * lets a few lines record them, and compares what the board of a running server shows with what they did. It
 * prints a line for each and fails where one differs.
 */
import { aiSdk } from "./aiSdk.js";
import { startBoard } from "./board.js";
import { langGraph } from "./langGraph.js";
import { openaiAgents } from "./openaiAgents.js";
import { startProvider } from "./provider.js";

/**
 * @typedef {object} Stage
 * @property {Awaited<ReturnType<typeof startProvider>>} provider
 * @property {Awaited<ReturnType<typeof startBoard>>} board
 * @property {string} prompt what the person asks; no other feature has the same
 * @property {string} label an id that no other feature has
 */

/**
 * @typedef {object} App
 * @property {string} name
 * @property {readonly string[]} packages
 * @property {Readonly<Record<string, (stage: Stage) => Promise<readonly string[]>>>} features run the app, and give
 *   the lines that the board must show
 */

const words = process.argv.slice(2);
const provider = await startProvider();
const board = await startBoard();
try {
  for (const { name, features } of [aiSdk, openaiAgents, langGraph]) {
    for (const [feature, run] of Object.entries(features)) {
      const title = `${name}: ${feature}`;
      if (words.some((word) => !title.includes(word))) continue;
      const problem = await tried(title, run);
      console.log(`${title}: ${problem ?? "✓"}`);
      if (problem !== undefined) process.exitCode = 1;
    }
  }
} finally {
  await board.close();
  provider.close();
}

async function tried(title, run) {
  const prompt = `weather? (${title})`;
  const label = title.replaceAll(/\W+/g, "-");
  try {
    await board.shows(prompt, await run({ provider, board, prompt, label }));
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
