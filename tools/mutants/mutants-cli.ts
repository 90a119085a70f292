/**
 * `npm run mutants [-- room…] [--generated N] [--seed N] [--only text] [--again]`: plants bugs in a copy of the
 * repository, runs the tests that concern them and writes what became of them to `docs/proof.md`. `generated` is a room
 * like the others. It continues where an earlier run was stopped: a bug whose file and tests are as they were is not
 * tried twice, except with `--again`. With `--only` it tries the bugs whose description or file contains the text, and
 * leaves the page alone.
 * Exit 1 where a bug survives without a reason, could not be tried, or fewer than 90 % are killed; 2 on a wrong call.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createHost } from "./host.js";
import { type PlannedMutant, plannedByChance, plannedByHand } from "./plan.js";
import { mergedProof, type Proof, proofText, readProof } from "./proof.js";
import { openResults, resultKey } from "./results.js";
import { rooms } from "./rooms.js";
import { reasons } from "./survivors.js";
import { createTrial, type Outcome } from "./tried.js";
import { createWorkshop } from "./workshop.js";

const paper = "docs/proof.md";
/** Not part of the repository. */
const results = openResults("dist-test/mutants.jsonl");
const names = [...Object.keys(rooms), "generated"];

const { values, positionals } = parseArgs({
  options: {
    generated: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    again: { type: "boolean", default: false },
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

const workshop = createWorkshop(process.cwd());
const host = createHost(workshop.folder);
const trial = createTrial(workshop, host);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    workshop.remove();
    // The process that runs the tests ends with its parent.
    process.exit(130);
  });
}

function plannedOf(room: string): readonly PlannedMutant[] {
  const planned =
    room === "generated"
      ? plannedByChance(workshop.folder, counts.generated, counts.seed)
      : plannedByHand(rooms[room] ?? []);
  const { only } = values;
  return only === undefined
    ? planned
    : planned.filter(({ mutant }) => `${mutant.file} ${mutant.bug}`.includes(only));
}

interface Tried {
  readonly planned: PlannedMutant;
  readonly outcome: Outcome;
}

function knownOutcome(key: string): Outcome | undefined {
  if (values.again || values.only !== undefined) return undefined;
  const known = results.of(key);
  if (known === undefined) return undefined;
  return known.killedBy === null
    ? { status: "survived" }
    : { status: "killed", by: known.killedBy };
}

function keep(key: string, outcome: Outcome): void {
  if (outcome.status === "untried") return;
  results.add({ key, killedBy: outcome.status === "killed" ? outcome.by : null });
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

/** The part of the page about one room. */
function proofOf(room: string, tried: readonly Tried[]): Proof {
  return {
    rows: [
      {
        room,
        planted: tried.length,
        killed: tried.filter(({ outcome }) => outcome.status === "killed").length,
      },
    ],
    survivors: tried
      .filter(({ outcome }) => outcome.status !== "killed")
      .map(({ planned: { mutant }, outcome }) => ({
        room,
        file: mutant.file,
        bug: mutant.bug,
        reason:
          outcome.status === "untried"
            ? "not tried"
            : (reasons[`${mutant.file}: ${mutant.bug}`] ?? "not explained"),
      })),
  };
}

/** The rooms that this run did not try stay on the page as they were. */
function writePage(proof: Proof): void {
  const known = existsSync(paper) ? readProof(readFileSync(paper, "utf8")) : proof;
  writeFileSync(paper, proofText(mergedProof(known, proof, names)));
}

async function tryRoom(room: string): Promise<readonly Tried[]> {
  const planned = plannedOf(room).map((one) => {
    const key = resultKey(workshop.folder, one);
    return { one, key, before: knownOutcome(key) };
  });
  await trial.prepare(planned.flatMap(({ one, before }) => (before === undefined ? [one] : [])));
  const tried: Tried[] = [];
  for (const [index, { one, key, before }] of planned.entries()) {
    const outcome = before ?? (await trial.try(one));
    if (before === undefined) keep(key, outcome);
    tried.push({ planned: one, outcome });
    const place = `${room} ${index + 1}/${planned.length}`;
    const source = before === undefined ? "" : " (earlier run)";
    console.log(
      `${place} ${one.mutant.file}: ${one.mutant.bug}\n  ${outcomeText(outcome)}${source}`,
    );
  }
  return tried;
}

let proof: Proof = { rows: [], survivors: [] };
try {
  for (const room of positionals.length > 0 ? positionals : names) {
    const own = proofOf(room, await tryRoom(room));
    proof = mergedProof(proof, own, names);
    if (values.only === undefined) writePage(own);
  }
} finally {
  await host.close();
  workshop.remove();
}

console.log(`\n${proofText(proof)}`);
const planted = proof.rows.reduce((sum, row) => sum + row.planted, 0);
const open = proof.survivors.filter(({ reason }) => reason.startsWith("not "));
if (open.length > 0) console.error(`${open.length} bugs survived unexplained or were not tried.`);
const isEnough = planted - proof.survivors.length >= 0.9 * planted;
if (!isEnough) console.error("Fewer than 90 % of the planted bugs were killed.");
process.exitCode = isEnough && open.length === 0 ? 0 : 1;
