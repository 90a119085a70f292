/**
 * `npm run lives`: writes the golden files again and removes those without a life.
 * `--check` writes nothing and fails when a file would change.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { differenceFrom, expectedFiles, livesFolder } from "./livesFiles.js";

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

mkdirSync(livesFolder, { recursive: true });
const expected = expectedFiles();
const difference = differenceFrom(expected);
const touched = [...difference.missing, ...difference.changed];

if (values.check) {
  for (const [kind, names] of Object.entries(difference)) {
    for (const name of names) console.error(`${kind}: ${name}`);
  }
  const isClean = touched.length + difference.stale.length === 0;
  console.log(isClean ? `${expected.size} golden files are current` : "run: npm run lives");
  process.exitCode = isClean ? 0 : 1;
} else {
  for (const name of touched) writeFileSync(join(livesFolder, name), expected.get(name) ?? "");
  for (const name of difference.stale) rmSync(join(livesFolder, name));
  console.log(
    `${expected.size} golden files: ${touched.length} written, ${difference.stale.length} removed`,
  );
}
