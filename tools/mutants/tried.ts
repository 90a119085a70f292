/** Plants one bug after another and says which test noticed each. */
import { spawnSync } from "node:child_process";
import { bundleProgram } from "../bundledProgram.js";
import type { Host } from "./host.js";
import type { PlannedMutant } from "./plan.js";
import type { Workshop } from "./workshop.js";

export interface Tried {
  readonly file: string;
  readonly bug: string;
  /** The test that failed, or how else the bug showed itself; undefined where nothing noticed it. */
  readonly killedBy: string | undefined;
}

/** How much longer than without the bug a batch may take, and the least that it is given. */
const patience = { times: 10, leastMs: 60_000 };

export interface Trial {
  try(planned: PlannedMutant): Promise<Tried>;
}

export function createTrial(workshop: Workshop, host: Host): Trial {
  const cleanMs = new Map<string, number>();

  /** The tests must pass without the bug; else that they fail with it says nothing. */
  async function cleanDuration(tests: readonly string[]): Promise<number> {
    const key = tests.join("\n");
    const known = cleanMs.get(key);
    if (known !== undefined) return known;
    const begun = performance.now();
    const clean = await host.run([], tests, 1_200_000);
    if (clean === undefined) throw new Error(`These tests took too long without a bug: ${key}`);
    if (clean.failures.length > 0)
      throw new Error(`These tests fail without a bug: ${clean.failures.join("; ")}`);
    if (clean.passed !== tests.length)
      throw new Error(`${clean.passed} of ${tests.length} test files passed without a bug: ${key}`);
    const duration = performance.now() - begun;
    cleanMs.set(key, duration);
    return duration;
  }

  return {
    async try({ mutant, batches }) {
      const { file, bug } = mutant;
      for (const batch of batches) {
        const limitMs = Math.max(patience.leastMs, patience.times * (await cleanDuration(batch)));
        const killedBy = await workshop.with(mutant, async () => {
          if (batch.some(startsPrograms)) await rebuild(workshop.folder);
          const answer = await host.run([file], batch, limitMs);
          if (answer === undefined) return "the tests did not end";
          if (answer.failures.length === 0 && answer.passed !== batch.length)
            throw new Error(
              `${answer.passed} of ${batch.length} test files ran to their end: ${batch.join(", ")}`,
            );
          return answer.failures[0];
        });
        // What was changed back must be read again.
        host.forget([file]);
        if (batch.some(startsPrograms)) await rebuild(workshop.folder);
        if (killedBy !== undefined) return { file, bug, killedBy };
      }
      return { file, bug, killedBy: undefined };
    },
  };
}

/** Tests that start the program or the page read what was built. */
function startsPrograms(test: string): boolean {
  return test.includes(".e2e.test.");
}

async function rebuild(folder: string): Promise<void> {
  // A planted bug need not compile; what can be built is built.
  spawnSync("npm", ["run", "--silent", "build"], { cwd: folder, stdio: "ignore" });
  await bundleProgram(folder);
}
