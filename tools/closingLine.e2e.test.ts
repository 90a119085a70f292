/** The closing line, read from real runs of small files of which each fails in its own way. */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";

const folder = resolve("tools/testing/closingLine");

interface RunOf {
  readonly status: number;
  readonly output: string;
}

function runOf(file: string, env: Readonly<Record<string, string>> = {}): Promise<RunOf> {
  const { CI: _, VITEST: __, ...inherited } = process.env;
  const args = [resolve("node_modules/vitest/vitest.mjs"), "run", `${file}.fixture.ts`];
  const options = { cwd: folder, env: { ...inherited, ...env } };
  return new Promise((done) => {
    execFile(process.execPath, args, options, (error, output) => {
      done({ status: error === null ? 0 : Number(error.code ?? -1), output });
    });
  });
}

const failing = [
  ["failingTest", "1 passed, 1 failed, 0 skipped"],
  ["failingFileHook", "1 passed, 1 failed, 0 skipped"],
  ["failingSuiteHook", "1 passed, 1 failed, 0 skipped"],
  ["failingImport", "0 passed, 1 failed, 0 skipped"],
  ["unhandledError", "1 passed, 1 failed, 0 skipped"],
  ["refusedAppend", "1 passed, 1 failed, 0 skipped"],
] as const;

/** All at once: each of them mostly waits for its own start. */
const runs = new Map<string, RunOf>();
beforeAll(async () => {
  const files = [...failing.map(([file]) => file), "skipped"];
  const started = files.map(async (file) => void runs.set(file, await runOf(file)));
  const inCi = async () => void runs.set("skipped in CI", await runOf("skipped", { CI: "true" }));
  await Promise.all([...started, inCi()]);
});

it.each(failing)("counts what fails in %s", (file, line) => {
  expect(runs.get(file)).toEqual({ status: 1, output: `\n${line}\n` });
});

it("names what is skipped, and passes", () => {
  expect(runs.get("skipped")).toEqual({
    status: 0,
    output:
      "\nskipped: skipped.fixture.ts > a suite > is left out\n1 passed, 0 failed, 1 skipped\n",
  });
});

it("fails in CI where something is skipped", () => {
  expect(runs.get("skipped in CI")).toMatchObject({
    status: 1,
    output: expect.stringContaining(
      "\n1 passed, 0 failed, 1 skipped\nSkipped tests fail a run in which CI is set.\n",
    ),
  });
});
