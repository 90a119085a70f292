/**
 * What became of planted bugs, one line of JSON for each, so that a run that was stopped is continued and a later one
 * tries only what changed. A result holds for one text of the bug, of the file it is planted in and of its tests; what
 * else the tests import is not part of it, so `--again` tries everything anew.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { PlannedMutant } from "./plan.js";

const resultSchema = z.object({
  /** `resultKey` of the bug. */
  key: z.string(),
  /** The test that failed; null where none did. */
  killedBy: z.string().nullable(),
});
export type Result = z.infer<typeof resultSchema>;

export interface Results {
  /** The last result under this key. */
  of(key: string): Result | undefined;
  add(result: Result): void;
}

export function openResults(path: string): Results {
  const known = new Map<string, Result>();
  for (const result of existsSync(path) ? storedResults(readFileSync(path, "utf8")) : [])
    known.set(result.key, result);
  return {
    of: (key) => known.get(key),
    add(result) {
      known.set(result.key, result);
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${JSON.stringify(result)}\n`);
    },
  };
}

/** Only whole lines count: a run that was killed may have left half of one. */
function storedResults(text: string): readonly Result[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

/**
 * A hash of the bug, of the file it is planted in and of its tests, in a clone at `root`. Where files lie and from where
 * they import is left out, so that results outlive a move.
 */
export function resultKey(root: string, { mutant, batches }: PlannedMutant): string {
  const { file, find, replace } = mutant;
  const textOf = (path: string): string => withoutImports(readFileSync(join(root, path), "utf8"));
  const tests = batches.map((batch) => batch.map(textOf));
  const parts = [textOf(file), withoutImports(find), withoutImports(replace), tests];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

const imports = /^(?:import|export) [^;]*?from "[^"]+";\n/gm;

function withoutImports(text: string): string {
  return text.replaceAll(imports, "");
}
