/**
 * Keeps Vitest warm in a process of its own: the runner of planted bugs sends it test files and receives whether they
 * pass. A bug that never ends cannot be interrupted from inside, so the runner kills this process and starts another.
 */
import { join } from "node:path";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import { z } from "zod";
import type { HostAnswer, HostRequest } from "./host.js";
import { hostRequestSchema } from "./host.js";
import { useWarmWorkers, type WarmWorkers } from "./warmWorkers.js";

const folder = process.cwd();
const unhandledSchema = z.looseObject({ message: z.string() });

const vitest = await createVitest("test", {
  root: folder,
  config: join(folder, "vitest.config.ts"),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
  silent: true,
});

// What a bug keeps from happening is waited for in vain: not for as long as a busy machine may need without the bug.
for (const { name, config } of vitest.projects)
  config.testTimeout = name === "world" ? 60_000 : 20_000;

// Pure files leave nothing behind.
const workers = useWarmWorkers(vitest, ["pure", "dom"]);

process.on("message", (message) => {
  answer(vitest, workers, hostRequestSchema.parse(message)).then(
    (told) => process.send?.(told),
    (error: unknown) =>
      process.send?.({ failures: [`Vitest failed: ${String(error)}`], passed: [] }),
  );
});
process.on("disconnect", () => {
  Promise.all([workers.end(), vitest.close()]).then(
    () => process.exit(),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.send?.({ failures: [], passed: [] } satisfies HostAnswer);

async function answer(
  running: Vitest,
  warm: WarmWorkers,
  { changed, tests, isAnew }: HostRequest,
): Promise<HostAnswer> {
  const files = changed.map((file) => join(folder, file));
  if (isAnew) await warm.end();
  else warm.forget(files);
  for (const file of files) running.invalidateFile(file);
  const paths = tests.map((test) => join(folder, test));
  const found = await running.globTestSpecifications(paths);
  const wanted = found.filter(({ moduleId }) => paths.includes(moduleId));
  // Those of earlier bugs.
  running.state.clearErrors();
  const { testModules, unhandledErrors } = await running.runTestSpecifications(wanted, false);
  // Vitest also gives back the files of earlier runs.
  const own = testModules.filter(({ moduleId }) => paths.includes(moduleId));
  return {
    passed: own
      .filter((module) => module.state() === "passed")
      .map((module) => ({ test: module.relativeModuleId, ms: durationOf(module) })),
    failures: [...own.flatMap(failuresOf), ...unhandledErrors.map(unhandledText)],
  };
}

/** An error comes from the worker as plain data, which need not have a prototype. */
function unhandledText(error: unknown): string {
  const { data } = unhandledSchema.safeParse(error);
  return `an error that nobody handled: ${data?.message ?? typeof error}`;
}

function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

function failuresOf(module: TestModule): readonly string[] {
  if (module.state() !== "failed") return [];
  const failed = [...module.children.allTests("failed")].map(({ fullName }) => fullName);
  const errors = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
  const whole = errors.map(
    ({ message }) => `${module.relativeModuleId}: ${message.split("\n", 1)[0]}`,
  );
  return [...failed, ...whole];
}
