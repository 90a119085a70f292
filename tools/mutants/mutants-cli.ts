/**
 * `npm run mutants [-- room…] [--generated N] [--seed N] [--only text]`: plants bugs in a copy of the repository, runs the
 * tests that concern them and writes what became of them to `docs/proof.md`. `generated` is a room like the others.
 * With `--only` it tries the bugs whose description or file contains the text, and writes nothing.
 * Exit 1 where a bug survives without a reason or fewer than 90 % are killed, 2 on a wrong call.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createHost } from "./host.js";
import { type PlannedMutant, plannedByChance, plannedByHand } from "./plan.js";
import { mergedProof, type Proof, proofText, readProof } from "./proof.js";
import { rooms } from "./rooms.js";
import { reasons } from "./survivors.js";
import { createTrial, type Tried } from "./tried.js";
import { createWorkshop } from "./workshop.js";

const root = resolve(".");
const paper = "docs/proof.md";
const names = [...Object.keys(rooms), "generated"];

const { values, positionals } = parseArgs({
  options: {
    generated: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
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

function plannedOf(room: string): readonly PlannedMutant[] {
  const planned =
    room === "generated"
      ? plannedByChance(root, counts.generated, counts.seed)
      : plannedByHand(rooms[room] ?? []);
  const { only } = values;
  return only === undefined
    ? planned
    : planned.filter(({ mutant }) => `${mutant.file} ${mutant.bug}`.includes(only));
}

/** What became of the bugs of the rooms that were tried so far. */
function proofOf(tried: ReadonlyMap<string, readonly Tried[]>): Proof {
  return {
    rows: [...tried].map(([room, results]) => ({
      room,
      planted: results.length,
      killed: results.filter(({ killedBy }) => killedBy !== undefined).length,
    })),
    survivors: [...tried].flatMap(([room, results]) =>
      results
        .filter(({ killedBy }) => killedBy === undefined)
        .map(({ file, bug }) => ({
          room,
          file,
          bug,
          reason: reasons[`${file}: ${bug}`] ?? "not explained",
        })),
    ),
  };
}

/** After each room, so that a long search may be broken off. */
function write(proof: Proof): void {
  const known = existsSync(paper) ? readProof(readFileSync(paper, "utf8")) : proof;
  writeFileSync(paper, proofText(mergedProof(known, proof, names)));
}

const workshop = createWorkshop(root);
const host = createHost(workshop.folder);
const trial = createTrial(workshop, host);
const tried = new Map<string, readonly Tried[]>();
try {
  for (const room of positionals.length > 0 ? positionals : names) {
    const planned = plannedOf(room);
    const results: Tried[] = [];
    for (const [index, mutant] of planned.entries()) {
      const result = await trial.try(mutant);
      results.push(result);
      const how = result.killedBy === undefined ? "SURVIVED" : `killed by: ${result.killedBy}`;
      console.log(`${room} ${index + 1}/${planned.length} ${result.file}: ${result.bug}\n  ${how}`);
    }
    tried.set(room, results);
    if (values.only === undefined) write(proofOf(tried));
  }
} finally {
  await host.close();
  workshop.remove();
}

const proof = proofOf(tried);
console.log(`\n${proofText(proof)}`);

const planted = proof.rows.reduce((sum, row) => sum + row.planted, 0);
const unexplained = proof.survivors.filter(({ reason }) => reason === "not explained");
if (unexplained.length > 0) console.error(`${unexplained.length} survivors are not explained.`);
const isEnough = planted - proof.survivors.length >= 0.9 * planted;
if (!isEnough) console.error("Fewer than 90 % of the planted bugs were killed.");
process.exitCode = isEnough && unexplained.length === 0 ? 0 : 1;
