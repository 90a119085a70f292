/**
 * The cases of a part that a run has tried, in a form that a later run continues from: kept in a file while the part
 * runs, for one state of the code. Cases under way end in any order, so a few seeds beyond the first gap are listed.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const caseFailureSchema = z.object({ seed: z.number(), reason: z.string() }).readonly();
export type CaseFailure = z.output<typeof caseFailureSchema>;

const triedCasesSchema = z
  .object({
    /** Every seed from 1 up to it was tried. */
    upTo: z.number(),
    /** The seeds after it that were tried, too. */
    beyond: z.array(z.number()).readonly(),
    failureCount: z.number(),
    failures: z.array(caseFailureSchema).readonly(),
    figures: z.record(z.string(), z.number()).readonly(),
  })
  .readonly();
export type TriedCases = z.output<typeof triedCasesSchema>;

export const nothingTried: TriedCases = {
  upTo: 0,
  beyond: [],
  failureCount: 0,
  failures: [],
  figures: {},
};

export function triedSeedsFrom(before: Pick<TriedCases, "upTo" | "beyond">) {
  let { upTo } = before;
  const beyond = new Set(before.beyond);
  return {
    has: (seed: number): boolean => (seed >= 1 && seed <= upTo) || beyond.has(seed),
    add(seed: number): void {
      beyond.add(seed);
      while (beyond.delete(upTo + 1)) upTo += 1;
    },
    read: () => ({ upTo, beyond: [...beyond] }),
  };
}

const stoppedRunSchema = z.object({
  /** The commit that was tried. */
  commit: z.string(),
  /** The time that the cases took, over all runs. */
  seconds: z.number(),
  tried: triedCasesSchema,
});
export type StoppedRun = z.output<typeof stoppedRunSchema>;

/** Keeps the progress of each part in a file of the folder. A file that cannot be read counts as none. */
export function stoppedRunsIn(folder: string) {
  const fileOf = (partName: string): string => join(folder, `${partName}.json`);
  return {
    read(partName: string): StoppedRun | undefined {
      try {
        return stoppedRunSchema.parse(JSON.parse(readFileSync(fileOf(partName), "utf8")));
      } catch {
        return undefined;
      }
    },
    write(partName: string, run: StoppedRun): void {
      mkdirSync(folder, { recursive: true });
      const file = fileOf(partName);
      // By a rename: a run that is killed while it writes leaves the file of before.
      writeFileSync(`${file}.new`, JSON.stringify(run));
      renameSync(`${file}.new`, file);
    },
    remove: (partName: string): void => rmSync(fileOf(partName), { force: true }),
  };
}
