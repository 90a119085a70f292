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
  {
    bug: "a stream that is sent again is recorded again",
    file: "packages/server/src/intake/intakeStreams.ts",
    find: "          if (place <= lines) continue;\n",
    replace: "",
    tests: ["packages/server/src/intake/intake.int.test.ts"],
  },
  {
    bug: "a user's stream reaches another user's conversation",
    file: "packages/server/src/intake/foreignRuns.ts",
    find: "nameUuid(user.userId, id)",
    replace: 'nameUuid("00000000-0000-4000-8000-000000000000", id)',
    tests: ["packages/server/src/intake/intake.int.test.ts"],
  },
  {
    bug: "a run of a killed terminal stays open on the board",
    file: "packages/server/src/intake/mirroredSession.ts",
    find: "      if (!held) await interrupt();\n",
    replace: "",
    tests: ["packages/server/src/intake/homeMirror.int.test.ts"],
  },
  {
    bug: "an import that is repeated writes its runs twice",
    file: "packages/agent-sdk/src/intake/foreignSessions.ts",
    find: "seq: last?.seq ?? 0,",
    replace: "seq: 0,",
    tests: ["packages/agent-sdk/src/intake/foreignSessions.test.ts"],
  },
];
