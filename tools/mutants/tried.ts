/** Plants one bug after another and says which test, or else the compiler, noticed each. */
import { createBuilds } from "./builds.js";
import type { Host, HostAnswer, HostRequest } from "./host.js";
import type { Mutant } from "./mutant.js";
import type { PlannedMutant } from "./plan.js";
import { typeErrorIn } from "./typeError.js";
import type { Workshop } from "./workshop.js";

/** What the tests said of one bug. It was not tried where its tests do not pass without it. */
export type Outcome =
  | { readonly status: "killed"; readonly by: string }
  | { readonly status: "survived" }
  | { readonly status: "untried"; readonly why: string };

/** How much longer than without the bug a batch may take, and the least that it is given. */
const patience = { times: 10, leastMs: 60_000 };
const cleanLimitMs = 1_200_000;

export interface Trial {
  /** Runs the tests of all these bugs at once without any bug: far cheaper than each test file alone. */
  prepare(planned: readonly PlannedMutant[]): Promise<void>;
  try(planned: PlannedMutant): Promise<Outcome>;
}

export function createTrial(workshop: Workshop, host: Host): Trial {
  /** How long each test file takes without a bug. */
  const cleanMs = new Map<string, number>();
  const builds = createBuilds(workshop.folder);

  async function run(request: HostRequest, limitMs: number): Promise<HostAnswer | undefined> {
    if (request.tests.some(startsPrograms)) await builds.bringUpToDate();
    return host.run(request, limitMs);
  }

  async function runWith(
    mutant: Mutant,
    tests: string[],
    limitMs: number,
    isAnew: boolean,
  ): Promise<HostAnswer | undefined> {
    const { file } = mutant;
    const answer = await workshop.with(mutant, () => {
      builds.changed(file);
      return run({ changed: [file], tests, isAnew }, limitMs);
    });
    // What was changed back must be read and built again.
    host.forget([file]);
    builds.changed(file);
    return answer;
  }

  /** Why it says nothing that these tests fail with a bug: they do not pass without it. */
  async function failureWithoutBug(tests: readonly string[]): Promise<string | undefined> {
    const unknown = tests.filter((test) => !cleanMs.has(test));
    if (unknown.length === 0) return undefined;
    const clean = await run({ changed: [], tests: unknown, isAnew: false }, cleanLimitMs);
    for (const { test, ms } of clean?.passed ?? []) cleanMs.set(test, ms);
    if (clean === undefined) return `took too long without a bug: ${unknown.join(", ")}`;
    const lacking = unknown.filter((test) => !cleanMs.has(test));
    if (lacking.length === 0) return undefined;
    return `did not pass without a bug: ${lacking.join(", ")} (${clean.failures.join("; ")})`;
  }

  return {
    async prepare(planned) {
      const first = planned.flatMap(({ batches: [batch = []] }) => batch);
      // What does not pass here is asked again, alone, before its bug is planted.
      await failureWithoutBug([...new Set(first)]);
    },
    async try({ mutant, batches }) {
      for (const batch of batches) {
        const tests = [...batch];
        const why = await failureWithoutBug(tests);
        if (why !== undefined) return { status: "untried", why };
        const usualMs = tests.reduce((sum, test) => sum + (cleanMs.get(test) ?? 0), 0);
        const limitMs = Math.max(patience.leastMs, patience.times * usualMs);
        let answer = await runWith(mutant, tests, limitMs, false);
        if (answer !== undefined && tests.every(isPure)) {
          const passes = (said: HostAnswer | undefined) => said?.passed.length === tests.length;
          // Pure tests run in a worker that saw earlier bugs. It counts that they fail if they pass there right
          // after, without the bug; and that they pass if they also do in a new worker.
          const isSure =
            !passes(answer) && passes(await run({ changed: [], tests, isAnew: false }, limitMs));
          if (!isSure) answer = await runWith(mutant, tests, limitMs, true);
        }
        if (answer === undefined) return { status: "killed", by: "the tests did not end" };
        const [failure] = answer.failures;
        if (failure !== undefined) return { status: "killed", by: failure };
        if (answer.passed.length !== tests.length)
          return { status: "untried", why: `some of the tests did not run: ${tests.join(", ")}` };
      }
      const error = await workshop.with(mutant, async () =>
        typeErrorIn(workshop.folder, mutant.file),
      );
      return error === undefined
        ? { status: "survived" }
        : { status: "killed", by: `the compiler: ${error}` };
    },
  };
}

function isPure(test: string): boolean {
  return !/\.(int|e2e)\.test\./.test(test);
}

/** Tests that start the program or the page read what was built. */
function startsPrograms(test: string): boolean {
  return test.includes(".e2e.test.");
}
