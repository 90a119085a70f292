import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { PlannedMutant } from "./plan.js";
import { openResults, resultKey } from "./results.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-results-"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/a.ts"), "export const a = 1;\n");
  writeFileSync(
    join(folder, "src/a.test.ts"),
    'import {\n  a,\n} from "./a.js";\nexpect(a).toBe(1);\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const planned: PlannedMutant = {
  mutant: {
    bug: "another number",
    file: "src/a.ts",
    find: "1",
    replace: "2",
    tests: ["src/a.test.ts"],
  },
  batches: [["src/a.test.ts"]],
};

it("is found by the next run, the last one of a bug, and not half a line", () => {
  const path = join(folder, "dist-test/results.jsonl");
  const first = openResults(path);
  expect(first.of("a")).toBeUndefined();
  first.add({ key: "a", killedBy: null });
  first.add({ key: "b", killedBy: "a test" });
  first.add({ key: "a", killedBy: "another test" });
  appendFileSync(path, '{"key":"c","kil');
  const next = openResults(path);
  expect(["a", "b", "c"].map((key) => next.of(key)?.killedBy)).toEqual([
    "another test",
    "a test",
    undefined,
  ]);
});

it("is removed with its bug", () => {
  const path = join(folder, "results.jsonl");
  const results = openResults(path);
  for (const key of ["b", "a", "c"]) results.add({ key, killedBy: null });
  results.keepOnly(new Set(["a", "b"]));
  expect(readFileSync(path, "utf8")).toBe(
    '{"key":"a","killedBy":null}\n{"key":"b","killedBy":null}\n',
  );
  expect(openResults(path).of("c")).toBeUndefined();
});

const testedBy = (...tests: [string, ...string[]]): typeof planned => ({
  ...planned,
  mutant: { ...planned.mutant, tests },
});

it("is not changed by tests that are tried after the nearest", () => {
  const before = resultKey(folder, planned);
  expect(resultKey(folder, { ...planned, batches: [...planned.batches, ["src/b.test.ts"]] })).toBe(
    before,
  );
});

it("holds while the bug, its file and its tests are as they were", () => {
  const before = resultKey(folder, planned);
  writeFileSync(join(folder, "src/other.ts"), "");
  expect(resultKey(folder, planned)).toBe(before);
  expect(
    resultKey(folder, { ...planned, mutant: { ...planned.mutant, bug: "in other words" } }),
  ).toBe(before);
  writeFileSync(join(folder, "src/a.ts"), "/** One. */\n\nexport const a = 1; // one\n");
  expect(resultKey(folder, planned)).toBe(before);
  mkdirSync(join(folder, "src/moved"));
  renameSync(join(folder, "src/a.test.ts"), join(folder, "src/moved/a.test.ts"));
  writeFileSync(
    join(folder, "src/moved/a.test.ts"),
    'import { a } from "../a.js";\nexpect(a).toBe(1);\n',
  );
  expect(resultKey(folder, testedBy("src/moved/a.test.ts"))).toBe(before);
});

it("is not known of another bug, another file or other tests", () => {
  const before = resultKey(folder, planned);
  const keys = new Set([before]);
  keys.add(resultKey(folder, { ...planned, mutant: { ...planned.mutant, replace: "3" } }));
  keys.add(resultKey(folder, testedBy("src/a.test.ts", "src/a.test.ts")));
  writeFileSync(join(folder, "src/a.ts"), "export const a = 1 + 0;\n");
  keys.add(resultKey(folder, planned));
  writeFileSync(join(folder, "src/a.test.ts"), "expect(a).not.toBe(2);\n");
  keys.add(resultKey(folder, planned));
  expect(keys.size).toBe(5);
});
