/**
 * A process that runs commands with the shell tool until it is killed or gets a command to end. For tests alone: `node
 * shell-process-cli.js <folder> <command>…`; prints `ready` for each command with output, `rss <bytes>` and `done` for
 * each that is over.
 */
import { createInterface } from "node:readline";
import { createShellTool } from "../shell.js";

const [folder = ".", ...commands] = process.argv.slice(2);
const say = (line: string) => void process.stdout.write(`${line}\n`);
const logger = { debug() {}, info() {}, warn: say, error: say };
const tool = createShellTool({ maxOutputChars: 30_000, outputFolder: folder });
const rssAtStart = process.memoryUsage().rss;
let rssAtMost = rssAtStart;
setInterval(() => {
  rssAtMost = Math.max(rssAtMost, process.memoryUsage().rss);
}, 5).unref();

async function run(command: string, index: number): Promise<void> {
  let isReady = false;
  const result = await tool.execute(
    { command, timeout_seconds: 300 },
    {
      callId: `call-${index}`,
      toolName: "shell",
      runId: "run",
      effectKey: `key-${index}`,
      sessionId: "session",
      workdir: folder,
      additionalDirectories: [],
      signal: new AbortController().signal,
      logger,
      progress() {},
      step() {},
      preview() {},
      terminal() {},
      title() {},
      locations() {},
      output() {
        if (!isReady) say("ready");
        isReady = true;
      },
    },
  );
  say(`rss ${rssAtMost - rssAtStart}`);
  say(`done ${result.summary}`);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line === "exit") process.exit(0);
  if (line === "throw") throw new Error("an error that nobody catches");
  process.kill(process.pid, line);
});

await Promise.all(commands.map(run));
process.stdin.destroy();
