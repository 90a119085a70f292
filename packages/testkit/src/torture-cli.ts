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
  const unknown = wanted.filter((name) => !tortureParts.some((part) => part.name === name));
  if (unknown.length > 0) fail(`no part named ${unknown.join(", ")}; the parts are: ${names}`);
  return wanted.length === 0
    ? tortureParts
    : tortureParts.filter((part) => wanted.includes(part.name));
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

function rowOf({ part, count, failureCount }: TortureResult, seconds: number): readonly string[] {
  const pace = `${((seconds * 1_000_000) / Math.max(1, count)).toFixed(0)} µs`;
  return [
    part.name,
    String(count),
    String(failureCount),
    `${seconds.toFixed(1)} s`,
    pace,
    part.promise,
  ];
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const head = ["part", "cases", "failed", "time", "per case", "promise"];
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}

const { values, positionals } = parseArgs({
  options: { count: { type: "string" } },
  allowPositionals: true,
});
const { SEED } = process.env;
const count = values.count === undefined ? undefined : wholeNumber("--count", values.count, 1);
const seed = SEED === undefined ? undefined : wholeNumber("SEED", SEED, 0);
const rows: (readonly string[])[] = [];
const results = partsOf(positionals).map((part) => {
  const cases = seed === undefined ? (count ?? part.fullCount) : 1;
  const step = Math.max(1_000, Math.ceil(cases / 20 / 1_000) * 1_000);
  const begun = performance.now();
  const result = tortured(part, seed === undefined ? seedsUpTo(cases) : [seed], (done) => {
    if (done % step === 0) console.error(`${part.name}: ${done} of ${cases}`);
  });
  rows.push(rowOf(result, (performance.now() - begun) / 1_000));
  return result;
});

console.log(tableOf(rows));
for (const { part, failures, failureCount } of results) {
  for (const failure of failures) {
    console.log(`\nSEED=${failure.seed} npm run torture -- ${part.name}\n${failure.reason}`);
  }
  if (failureCount > failures.length) console.log(`\n… and ${failureCount - failures.length} more`);
}
process.exitCode = results.some((result) => result.failureCount > 0) ? 1 : 0;
