import type { Mutant } from "./mutant.js";

export const client: readonly Mutant[] = [
  {
    bug: "the client forgets what a server says about the spinner",
    file: "packages/client/src/calls/streamFold.ts",
    find: "foldedCall(knownAfter(before, facts), true, payload.show_spinner)",
    replace: "foldedCall(knownAfter(before, facts), true)",
    tests: ["packages/client/src/calls/tracks.test.ts"],
  },
  {
    bug: "a repeated message is taken for a new report",
    file: "packages/client/src/calls/fromToolEvent.ts",
    find: " && !isRepeated(message, told, track)",
    replace: "",
    tests: ["packages/client/src/calls/tracks.test.ts"],
  },
];
