/**
 * `npm run mutants [-- room…] [--generated N] [--seed N] [--only text] [--again] [--page]`: plants bugs in a copy of the
 * repository, runs the tests that concern them and writes what became of them to `docs/proof.md`. `generated` is a room
 * like the others. It continues where an earlier run was stopped: a bug whose file and tests are as they were is not
 * tried twice, except with `--again`. With `--only` it tries the bugs whose description or file contains the text, and
 * leaves the page alone. `--page` tries nothing and writes what earlier runs found.
 * Exit 1 where a bug survives without a reason, was not tried, or fewer than 90 % are killed; 2 on a wrong call.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createHost } from "./host.js";
import { type PlannedMutant, plannedByChance, plannedByHand } from "./plan.js";
import {
  mergedProof,
  notExplained,
  type Proof,
  proofText,
  readProof,
  restOfPage,
  totalOf,
} from "./proof.js";
import { openResults, resultKey } from "./results.js";
import { rooms } from "./rooms.js";
import { reasons } from "./survivors.js";
import { createTrial, type Outcome, type Trial } from "./tried.js";
import { createWorkshop } from "./workshop.js";

const paper = "docs/proof.md";
const results = openResults("tools/mutants/results.jsonl");
const names = [...Object.keys(rooms), "generated"];

const { values, positionals } = parseArgs({
  options: {
    generated: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    again: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    fail(`${name} must be a whole number, not ${text}`);
  return number;
}

const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0)
  fail(`There is no room ${unknown.join(", ")}. The rooms are: ${names.join(", ")}.`);

const counts = {
  generated: wholeNumber("--generated", values.generated),
  seed: wholeNumber("--seed", values.seed),
};

interface Bug {
  readonly planned: PlannedMutant;
  readonly key: string;
}

/** The bugs of a room, planted in a clone at `root`. */
function bugsOf(room: string, root: string): readonly Bug[] {
  const all =
    room === "generated"
      ? plannedByChance(root, counts.generated, counts.seed)
      : plannedByHand(rooms[room] ?? []);
  const { only } = values;
  return all
    .filter(({ mutant }) => only === undefined || `${mutant.file} ${mutant.bug}`.includes(only))
    .map((planned) => ({ planned, key: resultKey(root, planned) }));
}

const outcomeText = (outcome: Outcome): string => {
  switch (outcome.status) {
    case "killed":
      return `killed by: ${outcome.by}`;
    case "survived":
      return "SURVIVED";
    case "untried":
      return `NOT TRIED: ${outcome.why}`;
    default:
      return outcome satisfies never;
  }
};

async function tryRoom(room: string, bugs: readonly Bug[], trial: Trial): Promise<void> {
  const isTriedAnew = values.again || values.only !== undefined;
  const left = bugs.filter(({ key }) => isTriedAnew || results.of(key) === undefined);
  await trial.prepare(left.map(({ planned }) => planned));
  for (const [index, { planned, key }] of left.entries()) {
    const outcome = await trial.try(planned);
    if (outcome.status !== "untried")
      results.add({ key, killedBy: outcome.status === "killed" ? outcome.by : null });
    const { file, bug } = planned.mutant;
    console.log(`${room} ${index + 1}/${left.length} ${file}: ${bug}\n  ${outcomeText(outcome)}`);
  }
}

/** The part of the page about one room: what is known of its bugs. */
function proofOf(room: string, bugs: readonly Bug[]): Proof {
  const known = bugs.flatMap(({ planned, key }) => {
    const result = results.of(key);
    return result === undefined ? [] : [{ ...result, ...planned.mutant }];
  });
  const survivors = known.filter(({ killedBy }) => killedBy === null);
  const { length: planted } = bugs;
  return {
    rows: [{ room, planted, tried: known.length, killed: known.length - survivors.length }],
    survivors: survivors.map(({ file, bug }) => ({
      ...{ room, file, bug },
      reason: reasons[`${file}: ${bug}`] ?? notExplained,
    })),
  };
}

/** The rooms that this run did not look at stay on the page as they were. */
function writePage(proof: Proof): void {
  const page = existsSync(paper) ? readFileSync(paper, "utf8") : proofText(proof);
  const known = mergedProof(readProof(page), proof, names);
  writeFileSync(paper, `${proofText(known)}${restOfPage(page)}`);
}

/** The results of bugs that are no longer planted, or whose code changed. */
function forgetOthers(): void {
  const bugs = names.flatMap((room) => bugsOf(room, process.cwd()));
  results.keepOnly(new Set(bugs.map(({ key }) => key)));
}

const wanted = positionals.length > 0 ? positionals : names;
const found = new Map<string, Proof>();

if (values.page) {
  for (const room of wanted) found.set(room, proofOf(room, bugsOf(room, process.cwd())));
  for (const proof of found.values()) writePage(proof);
  if (wanted === names) forgetOthers();
} else {
  const workshop = createWorkshop(process.cwd());
  const host = createHost(workshop.folder);
  const trial = createTrial(workshop, host);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, async () => {
      // While it runs it writes into the workshop.
      await host.close();
      workshop.remove();
      process.exit(130);
    });
  }
  try {
    for (const room of wanted) {
      const bugs = bugsOf(room, workshop.folder);
      await tryRoom(room, bugs, trial);
      const proof = proofOf(room, bugs);
      found.set(room, proof);
      if (values.only === undefined) writePage(proof);
    }
  } finally {
    await host.close();
    workshop.remove();
  }
}

const proof = [...found.values()].reduce((all, one) => mergedProof(all, one, names));
console.log(`\n${proofText(proof)}`);
const total = totalOf(proof.rows);
const unexplained = proof.survivors.filter(({ reason }) => reason === notExplained);
if (unexplained.length > 0) console.error(`${unexplained.length} survivors are not explained.`);
if (total.tried < total.planted) console.error(`${total.planted - total.tried} were not tried.`);
const isEnough = total.killed >= 0.9 * total.planted;
if (!isEnough) console.error("Fewer than 90 % of the planted bugs were killed.");
process.exitCode = isEnough && unexplained.length === 0 && total.tried === total.planted ? 0 : 1;
