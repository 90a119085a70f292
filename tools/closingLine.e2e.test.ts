/** The closing line, read from real runs of small files of which each fails in its own way. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const folder = resolve("tools/testing/closingLine");

interface RunOf {
  readonly status: number | null;
  readonly output: string;
}

function runOf(file: string, env: Readonly<Record<string, string>> = {}): RunOf {
  const { CI: _, VITEST: __, ...inherited } = process.env;
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve("node_modules/vitest/vitest.mjs"), "run", `${file}.fixture.ts`],
    { cwd: folder, encoding: "utf8", env: { ...inherited, ...env } },
  );
  return { status, output: stdout };
}

const failing = [
  ["failingTest", "1 passed, 1 failed, 0 skipped"],
  ["failingFileHook", "1 passed, 1 failed, 0 skipped"],
  ["failingSuiteHook", "1 passed, 1 failed, 0 skipped"],
  ["failingImport", "0 passed, 1 failed, 0 skipped"],
  ["unhandledError", "1 passed, 1 failed, 0 skipped"],
  ["refusedAppend", "1 passed, 1 failed, 0 skipped"],
] as const;

it.each(failing)("counts what fails in %s", (file, line) => {
  expect(runOf(file)).toEqual({ status: 1, output: `\n${line}\n` });
});

it("names what is skipped, and passes", () => {
  expect(runOf("skipped")).toEqual({
    status: 0,
    output:
      "\nskipped: skipped.fixture.ts > a suite > is left out\n1 passed, 0 failed, 1 skipped\n",
  });
});

it("fails in CI where something is skipped", () => {
  const { status, output } = runOf("skipped", { CI: "true" });
  expect(status).toBe(1);
  expect(output).toContain(
    "\n1 passed, 0 failed, 1 skipped\nSkipped tests fail a run in which CI is set.\n",
  );
});
