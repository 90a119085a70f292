/** Planted bugs of what runs the tests: a suite that says that it passed although something failed. */
import type { Mutant } from "./mutant.js";

export const suite: readonly Mutant[] = [
  {
    bug: "a hook that fails is not counted",
    file: "tools/closingLine.ts",
    find: 'inState("failed").length + broken.length + unhandled.length',
    replace: 'inState("failed").length + unhandled.length',
    tests: ["tools/closingLine.e2e.test.ts"],
  },
  {
    bug: "an error that nobody handles is not counted",
    file: "tools/closingLine.ts",
    find: "broken.length + unhandled.length",
    replace: "broken.length",
    tests: ["tools/closingLine.e2e.test.ts"],
  },
  {
    bug: "a test that is left out passes in CI",
    file: "tools/closingLine.ts",
    find: "process.exitCode = 1;",
    replace: "",
    tests: ["tools/closingLine.e2e.test.ts"],
  },
  {
    bug: "a test passes although the log refused what it recorded",
    file: "tools/failOnRefusal.ts",
    find: 'expect(refusals.splice(0), "the log refused").toEqual([]);',
    replace: "refusals.splice(0);",
    tests: ["tools/closingLine.e2e.test.ts"],
  },
  {
    bug: "a picture of another size is the same picture",
    file: "packages/web/src/testing/picture.ts",
    find: "other.height) return 1;",
    replace: "other.height) return 0;",
    tests: ["packages/web/src/testing/picture.test.ts"],
  },
  {
    bug: "a picture in which a box has moved is the same picture",
    file: "packages/web/src/testing/picture.ts",
    find: "const noticeable = 8;",
    replace: "const noticeable = 255;",
    tests: ["packages/web/src/testing/picture.test.ts"],
  },
  {
    bug: "a stopped search for planted bugs begins again",
    file: "tools/mutants/results.ts",
    find: "of: (key) => known.get(key),",
    replace: "of: () => undefined,",
    tests: ["tools/mutants/results.test.ts"],
  },
  {
    bug: "a bug is not tried again when its tests changed",
    file: "tools/mutants/results.ts",
    find: "withoutImports(replace), tests];",
    replace: "withoutImports(replace)];",
    tests: ["tools/mutants/results.test.ts"],
  },
  {
    bug: "torture that was stopped tries its cases again",
    file: "packages/testkit/src/torture/run.ts",
    find: "if (triedSeeds.has(seed)) continue;",
    replace: "",
    tests: ["packages/testkit/src/torture/torture.test.ts"],
  },
  {
    bug: "torture that was stopped forgets the failures that it had found",
    file: "packages/testkit/src/torture/run.ts",
    find: "let { failureCount } = before;",
    replace: "let failureCount = 0;",
    tests: ["packages/testkit/src/torture/torture.test.ts"],
  },
];
