/**
 * The results of planted bugs, one line of JSON for each. The file is committed: a run that was stopped is continued, on
 * another machine too, and a later run tries only what changed. A result holds for one code of the bug, of the file it is
 * planted in and of the tests nearest to it, whatever their comments say. What these import, and the tests that are only
 * run when the nearest notice nothing, are not part of it, so `--again` tries everything again.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
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
  /** Removes the results under all other keys. */
  keepOnly(keys: ReadonlySet<string>): void;
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
      appendFileSync(path, lineOf(result));
    },
    keepOnly(keys) {
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
      const sorted = [...known.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
      writeFileSync(path, sorted.map(lineOf).join(""));
    },
  };
}

const lineOf = (result: Result): string => `${JSON.stringify(result)}\n`;

/** Only whole lines count: a run that was killed may have left half of one. */
function storedResults(text: string): readonly Result[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => resultSchema.parse(JSON.parse(line)));
}

/**
 * A hash of the bug, of the file it is planted in and of the tests nearest to it, in a clone at `root`. The places of
 * files and their imports are omitted, so that a result holds after a move.
 */
export function resultKey(root: string, { mutant }: PlannedMutant): string {
  const { file, find, replace, tests: nearest } = mutant;
  const codeAt = (path: string): string => codeOf(path, readFileSync(join(root, path), "utf8"));
  const tests = nearest.map((test) => [codeAt(test)]);
  const parts = [codeAt(file), withoutImports(find), withoutImports(replace), tests];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
}

/** The code of a module without comments, blank lines and imports; other files as they are. */
function codeOf(path: string, text: string): string {
  if (!/\.tsx?$/.test(path)) return text;
  const { comments } = parseSync(path, text);
  let code = "";
  let at = 0;
  for (const { start, end } of comments) {
    code += text.slice(at, start);
    at = end;
  }
  return withoutImports(code + text.slice(at))
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();
}

const imports = /^(?:import|export) [^;]*?from "[^"]+";\n/gm;

function withoutImports(text: string): string {
  return text.replaceAll(imports, "");
}
