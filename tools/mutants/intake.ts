import type { Mutant } from "./mutant.js";

export const intake: readonly Mutant[] = [
  {
    bug: "a call that another agent left open is not closed",
    file: "packages/run-log/src/intake/narrator.ts",
    find: "  const open = openCallsOf(run).toReversed();",
    replace: "  const open = openCallsOf(run).slice(0, 0);",
    tests: ["packages/testkit/src/intake/recordings.test.ts"],
  },
  {
    bug: "two calls of one id become one",
    file: "packages/run-log/src/intake/calls.ts",
    find: "  if (isKnown && isUpsert) return { story, intents: [], remarks: [] };",
    replace: "  if (isKnown) return { story, intents: [], remarks: [] };",
    tests: ["packages/testkit/src/intake/recordings.test.ts"],
  },
  {
    bug: "a line that never ends fills the memory",
    file: "packages/run-log/src/lines/lineSplitter.ts",
    find: '    if (held > longest) pieces = [pieces.join("").slice(0, keptHead)];',
    replace: "",
    tests: ["packages/run-log/src/lines/lineSplitter.test.ts"],
  },
  {
    bug: "a foreign session id leads out of the home",
    file: "packages/run-log/src/intake/sessionName.ts",
    find: "  if (clean === foreign) return clean;",
    replace: "  if (foreign.length > 0) return foreign;",
    tests: ["packages/run-log/src/intake/hostile.test.ts"],
  },
];
