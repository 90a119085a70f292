/**
 * `npm run torture [-- part…] [--count N] [--page [--again]]`: the full search for broken promises, one table at the
 * end. `SEED=n npm run torture -- part` replays one case, `--help` lists the parts. Exit 1 on failures, 2 on a wrong call.
 */
import { readFile, writeFile } from "node:fs/promises";
import { commitNow, isCodeOf } from "./torture/checkout.js";
import { helpText, tortureCommandOf } from "./torture/command.js";
import { pageWith, type TriedPart, triedPartsOf } from "./torture/page.js";
import { tortureParts } from "./torture/parts.js";
import { inProcesses } from "./torture/processes.js";
import { seedsUpTo, type TortureResult, type TortureWatcher, tortured } from "./torture/run.js";
import { tableOf } from "./torture/table.js";
import type { TorturePart } from "./torture/torturePart.js";
import { type StoppedRun, stoppedRunsIn } from "./torture/triedCases.js";

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
const stoppedRuns = stoppedRunsIn(".torture");
const savedEveryMs = 5_000;

/** At once, so that a later part that is stopped loses nothing. */
async function writeRow(result: TortureResult, seconds: number, commit: string): Promise<void> {
  const { part, count, failureCount } = result;
  const figures = { tried: count, failed: failureCount, seconds: Math.round(seconds) };
  const row = { name: part.name, ...figures, commit };
  await writeFile(page, pageWith(await readFile(page, "utf8"), [row], tortureParts));
}

/** The row of the page, if it has these cases of the present code. */
async function rowOnPage({ name }: TorturePart, cases: number): Promise<TriedPart | undefined> {
  const row = triedPartsOf(await readFile(page, "utf8")).find((one) => one.name === name);
  return row !== undefined && row.tried >= cases && (await isCodeOf(row.commit)) ? row : undefined;
}

async function stoppedRunOf({ name }: TorturePart): Promise<StoppedRun | undefined> {
  const run = stoppedRuns.read(name);
  return run !== undefined && (await isCodeOf(run.commit)) ? run : undefined;
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
const { parts, count, seed, isForPage, isAgain } = command;
const rows: (readonly string[])[] = [];
const results: TortureResult[] = [];
let failedOnPage = 0;
for (const asked of parts) {
  const cases = seed === undefined ? (count ?? asked.fullCount) : 1;
  const continues = isForPage && !isAgain;
  const row = continues ? await rowOnPage(asked, cases) : undefined;
  if (row !== undefined) {
    const figures = [String(row.tried), String(row.failed), `${row.seconds.toFixed(1)} s`];
    rows.push([row.name, ...figures, "", `tried before, at ${row.commit}`, asked.promise]);
    failedOnPage += row.failed;
    continue;
  }
  const stopped = continues ? await stoppedRunOf(asked) : undefined;
  if (stopped) console.error(`${asked.name}: continues after ${stopped.tried.upTo} cases`);
  const commit = isForPage ? await commitNow(page) : "";
  const spread = asked.inProcesses === true && seed === undefined ? inProcesses(asked) : undefined;
  const part = spread ?? asked;
  const step = progressStepOf(cases);
  const started = performance.now() - (stopped?.seconds ?? 0) * 1_000;
  const secondsNow = (): number => (performance.now() - started) / 1_000;
  let savedAt = performance.now();
  const seeds = seed === undefined ? seedsUpTo(cases) : [seed];
  const watcher: TortureWatcher = {
    onProgress(done, tried) {
      if (done % step === 0) console.error(`${part.name}: ${done} of ${cases}`);
      if (!isForPage || performance.now() - savedAt < savedEveryMs) return;
      savedAt = performance.now();
      stoppedRuns.write(part.name, { commit, seconds: secondsNow(), tried: tried() });
    },
    onStep(howFar) {
      console.error(`${part.name}: ${howFar}`);
    },
    onFailure({ seed: failed, reason }) {
      console.error(`${part.name}: seed ${failed} failed: ${reason.split("\n", 1)[0]}`);
    },
  };
  const result = await tortured(part, seeds, watcher, stopped?.tried);
  spread?.close();
  const seconds = secondsNow();
  rows.push(rowOf(result, seconds));
  results.push(result);
  if (!isForPage) continue;
  await writeRow(result, seconds, commit);
  stoppedRuns.remove(part.name);
}

const head = ["part", "cases", "failed", "time", "per case", "counted", "promise"];
console.log(tableOf(head, rows));
for (const { part, failures, failureCount } of results) {
  for (const failure of failures) {
    console.log(`\nSEED=${failure.seed} npm run torture -- ${part.name}\n${failure.reason}`);
  }
  if (failureCount > failures.length) console.log(`\n… and ${failureCount - failures.length} more`);
}
const hasFailed = failedOnPage > 0 || results.some((result) => result.failureCount > 0);
process.exitCode = hasFailed ? 1 : 0;
