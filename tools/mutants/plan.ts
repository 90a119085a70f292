/** What is planted, and which tests are asked about it, in what order. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { changesOf, sampled } from "./generate.js";
import type { Mutant } from "./mutant.js";

/** A planted bug with its tests in batches: a later batch runs only where the earlier ones noticed nothing. */
export interface PlannedMutant {
  readonly mutant: Mutant;
  readonly batches: readonly (readonly string[])[];
}

export function plannedByHand(mutants: readonly Mutant[]): readonly PlannedMutant[] {
  return mutants.map((mutant) => ({ mutant, batches: mutant.tests.map((test) => [test]) }));
}

const source = "packages/run-log/src";

const log = `${source}/log`;

/** The law, the fold and the projections, with the tests that are nearest to each. */
const law = ["laws", "decide", "decideCalls", "evolve"];
const nearest: Readonly<Record<string, readonly string[]>> = {
  laws: law,
  callTable: law,
  decide: ["decide", "decideCalls"],
  draftsFor: ["decide", "decideCalls"],
  evolve: ["evolve", "malformed"],
  admittedCall: ["evolve", "malformed", "laws"],
  closing: ["closing"],
};

/** The tests that see the whole heart, for a bug that the nearest ones do not notice. */
const livesAndLaws = ["packages/testkit/src/lives.test.ts", "packages/testkit/src/laws.test.ts"];

/** Compares the rules with its tables in the specification. */
const specification = "tools/spec.test.ts";

export function plannedByChance(
  root: string,
  count: number,
  seed: number,
): readonly PlannedMutant[] {
  const files = [
    ...Object.keys(nearest).map((name) => `${log}/${name}.ts`),
    ...sourcesUnder(root, `${source}/projections`),
  ];
  const all = files.flatMap((file) => mutantsOf(root, file));
  const heart = testsUnder(root, source);
  return sampled(all, count, seed).map((mutant) => {
    const near = new Set<string>(mutant.tests);
    return {
      mutant,
      batches: [[...near], [specification], livesAndLaws, heart.filter((test) => !near.has(test))],
    };
  });
}

function mutantsOf(root: string, file: string): readonly Mutant[] {
  const text = readFileSync(join(root, file), "utf8");
  const tests = nearestTests(root, file);
  const seen = new Map<string, number>();
  return changesOf(file, text).flatMap(({ operator, start, end, replacement }) => {
    const changed = text.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 80);
    const what = `${operator} \`${changed}\``;
    const times = (seen.get(what) ?? 0) + 1;
    seen.set(what, times);
    const bug = `${what}${times === 1 ? "" : `, place ${times}`}`;
    // The whole file is the text to find: what was changed may stand in it more than once.
    const whole = text.slice(0, start) + replacement + text.slice(end);
    return whole === text ? [] : [{ bug, file, find: text, replace: whole, tests }];
  });
}

function nearestTests(root: string, file: string): Mutant["tests"] {
  const known = file.startsWith(`${log}/`) ? nearest[basename(file, ".ts")] : undefined;
  if (known !== undefined) return asTests(known.map((test) => `${log}/${test}.test.ts`));
  const surface = file.slice(`${source}/projections/`.length, -".ts".length).split("/")[0] ?? "";
  const own = join(root, source, "projections", surface);
  const tests = [
    `${source}/projections/${surface}.test.ts`,
    ...(existsSync(own) ? testsUnder(root, `${source}/projections/${surface}`) : []),
    ...testsUnder(root, dirname(file)),
  ];
  return asTests([...new Set(tests)].filter((test) => existsSync(join(root, test))));
}

function asTests([first, ...rest]: readonly string[]): Mutant["tests"] {
  if (first === undefined) throw new Error("A file of the heart has no test near it.");
  return [first, ...rest];
}

function filesUnder(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
}

function testsUnder(root: string, folder: string): readonly string[] {
  return filesUnder(root, folder).filter(
    (file) => file.endsWith(".test.ts") && !file.endsWith(".e2e.test.ts"),
  );
}

function sourcesUnder(root: string, folder: string): readonly string[] {
  return filesUnder(root, folder).filter(
    (file) => /\.ts$/.test(file) && !/\.test(-d)?\.ts$|\/testing\//.test(file),
  );
}
