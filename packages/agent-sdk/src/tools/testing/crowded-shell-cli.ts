/**
 * Runs a command with the shell tool while no file descriptor is left, and one more when there are again.
 * For tests alone: `node crowded-shell-cli.js <folder>`; prints how each ended.
 */
import { closeSync, openSync } from "node:fs";
import { ToolFailure } from "../../utils/toolFailure.js";
import { createShellTool } from "../shell.js";
import { testContext } from "./testContext.js";

const [folder = "."] = process.argv.slice(2);
const tool = createShellTool({ maxOutputChars: 1_000, outputFolder: folder });

async function outcomeOfCommand(command: string): Promise<string> {
  try {
    const { output } = await tool.execute({ command }, testContext(folder));
    return String(output).trim();
  } catch (error) {
    return error instanceof ToolFailure ? error.errorType : `uncaught ${String(error)}`;
  }
}

// What is loaded on the first use needs descriptors, too.
const ends = [await outcomeOfCommand("echo before")];
for (const spare of [0, 1, 2, 3, 4, 5, 6]) {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync("/dev/null", "r"));
  } catch {
    // None is left.
  }
  for (const file of taken.splice(0, spare)) closeSync(file);
  ends.push(await outcomeOfCommand("echo crowded"));
  for (const file of taken) closeSync(file);
}
ends.push(await outcomeOfCommand("echo after"));
process.stdout.write(`${JSON.stringify(ends)}\n`);
