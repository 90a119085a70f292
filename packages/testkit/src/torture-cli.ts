/**
 * `npm run torture [-- part…] [--count N] [--page]`: the full search for broken promises, one table at the
 * end. `SEED=n npm run torture -- part` replays one case, `--help` lists the parts. Exit 1 on failures, 2 on a wrong call.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { helpText, tortureCommandOf } from "./torture/command.js";
import { pageWith } from "./torture/page.js";
import { tortureParts } from "./torture/parts.js";
import { inProcesses } from "./torture/processes.js";
import { seedsUpTo, type TortureResult, tortured } from "./torture/run.js";
import { tableOf } from "./torture/table.js";

function rowOf(result: TortureResult, seconds: number): readonly string[] {
  const { part, count, failureCount, figures } = result;
  const counted = Object.entries(figures).map(([name, figure]) => `${figure} ${name}`);
  return [
    part.name,
    String(count),
    String(failureCount),
    `${seconds.toFixed(1)} s`,
    paceOf(seconds / Math.max(1, count)),
    counted.join(", "),
    part.promise,
  ];
}

function paceOf(seconds: number): string {
  return seconds < 0.01 ? `${(seconds * 1e6).toFixed(0)} µs` : `${(seconds * 1e3).toFixed(0)} ms`;
}

const page = "docs/proof.md";

/** With `-dirty` if the checkout differs from it, the page aside: earlier parts have written it. */
async function commitNow(): Promise<string> {
  const run = promisify(execFile);
  const changes = ["status", "--porcelain", "--untracked-files=no", "--", ".", `:!${page}`];
  const head = await run("git", ["rev-parse", "--short=8", "HEAD"]);
  const { stdout } = await run("git", changes);
  return `${head.stdout.trim()}${stdout === "" ? "" : "-dirty"}`;
}

/** At once, so that a later part that is stopped loses nothing. */
async function writeRow(
  { part, count, failureCount }: TortureResult,
  seconds: number,
): Promise<void> {
  const figures = { tried: count, failed: failureCount, seconds: Math.round(seconds) };
  const row = { name: part.name, ...figures, commit: await commitNow() };
  await writeFile(page, pageWith(await readFile(page, "utf8"), [row], tortureParts));
}

/** About twenty lines of progress, at round numbers if there are many cases. */
function progressStepOf(cases: number): number {
  const step = Math.ceil(cases / 20);
  return step < 1_000 ? step : Math.ceil(step / 1_000) * 1_000;
}

const command = tortureCommandOf(process.argv.slice(2), process.env.SEED, tortureParts);
if (command.type !== "run") {
  if (command.type === "wrong") console.error(`${command.message}\n`);
  const print = command.type === "help" ? console.log : console.error;
  print(helpText(tortureParts));
  process.exit(command.type === "help" ? 0 : 2);
}
const { parts, count, seed, isForPage } = command;
const rows: (readonly string[])[] = [];
const results: TortureResult[] = [];
for (const asked of parts) {
  const spread = asked.inProcesses === true && seed === undefined ? inProcesses(asked) : undefined;
  const part = spread ?? asked;
  const cases = seed === undefined ? (count ?? part.fullCount) : 1;
  const step = progressStepOf(cases);
  const begun = performance.now();
  const seeds = seed === undefined ? seedsUpTo(cases) : [seed];
  const result = await tortured(part, seeds, {
    onProgress(done) {
      if (done % step === 0) console.error(`${part.name}: ${done} of ${cases}`);
    },
    onStep(howFar) {
      console.error(`${part.name}: ${howFar}`);
    },
    onFailure({ seed: failed, reason }) {
      console.error(`${part.name}: seed ${failed} failed: ${reason.split("\n", 1)[0]}`);
    },
  });
  spread?.close();
  const seconds = (performance.now() - begun) / 1_000;
  rows.push(rowOf(result, seconds));
  results.push(result);
  if (isForPage) await writeRow(result, seconds);
}

const head = ["part", "cases", "failed", "time", "per case", "counted", "promise"];
console.log(tableOf(head, rows));
for (const { part, failures, failureCount } of results) {
  for (const failure of failures) {
    console.log(`\nSEED=${failure.seed} npm run torture -- ${part.name}\n${failure.reason}`);
  }
  if (failureCount > failures.length) console.log(`\n… and ${failureCount - failures.length} more`);
}
process.exitCode = results.some((result) => result.failureCount > 0) ? 1 : 0;
