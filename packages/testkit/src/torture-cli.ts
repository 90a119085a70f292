/**
 * `npm run torture [-- part…] [--count N]`: the full search for broken promises, one table at the
 * end. `SEED=n npm run torture -- part` replays one case. Exit 1 on failures, 2 on a wrong call.
 */
import { parseArgs } from "node:util";
import { tortureParts } from "./torture/parts.js";
import { seedsUpTo, type TortureResult, tortured } from "./torture/run.js";
import type { TorturePart } from "./torture/torturePart.js";

const names = tortureParts.map((part) => part.name).join(", ");

function partsOf(wanted: readonly string[]): readonly TorturePart[] {
  const isNamed = (part: TorturePart, name: string): boolean =>
    part.name === name || part.group === name;
  const unknown = wanted.filter((name) => !tortureParts.some((part) => isNamed(part, name)));
  if (unknown.length > 0) fail(`no part named ${unknown.join(", ")}; the parts are: ${names}`);
  return wanted.length === 0
    ? tortureParts
    : tortureParts.filter((part) => wanted.some((name) => isNamed(part, name)));
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function wholeNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least)
    fail(`${name} must be a whole number of at least ${least}, not ${text}`);
  return number;
}

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

function tableOf(rows: readonly (readonly string[])[]): string {
  const head = ["part", "cases", "failed", "time", "per case", "counted", "promise"];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}

/** About twenty lines of progress, at round numbers where there are many cases. */
function stepOf(cases: number): number {
  const step = Math.ceil(cases / 20);
  return step < 1_000 ? step : Math.ceil(step / 1_000) * 1_000;
}

const { values, positionals } = parseArgs({
  options: { count: { type: "string" } },
  allowPositionals: true,
});
const { SEED } = process.env;
const count = values.count === undefined ? undefined : wholeNumber("--count", values.count, 1);
const seed = SEED === undefined ? undefined : wholeNumber("SEED", SEED, 0);
const rows: (readonly string[])[] = [];
const results: TortureResult[] = [];
for (const part of partsOf(positionals)) {
  const cases = seed === undefined ? (count ?? part.fullCount) : 1;
  const step = stepOf(cases);
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
  rows.push(rowOf(result, (performance.now() - begun) / 1_000));
  results.push(result);
}

console.log(tableOf(rows));
for (const { part, failures, failureCount } of results) {
  for (const failure of failures) {
    console.log(`\nSEED=${failure.seed} npm run torture -- ${part.name}\n${failure.reason}`);
  }
  if (failureCount > failures.length) console.log(`\n… and ${failureCount - failures.length} more`);
}
process.exitCode = results.some((result) => result.failureCount > 0) ? 1 : 0;
