import type { Mutant } from "./mutant.js";

export const runLog: readonly Mutant[] = [
  {
    bug: "a preview holds only the new piece of the output",
    file: "packages/run-log/src/toolEventPayload.ts",
    find: "const known = outputTail + text;",
    replace: "const known = text;",
    tests: ["packages/run-log/src/toolEventPayload.test.ts"],
  },
  {
    bug: "a preview leaves out a part of a long new piece",
    file: "packages/run-log/src/toolEventPayload.ts",
    find: "Math.min(outputTail.length, Math.max(0, known.length - previewChars))",
    replace: "Math.max(0, known.length - previewChars)",
    tests: ["packages/run-log/src/toolEventPayload.test.ts"],
  },
  {
    bug: "previews grow with the output",
    file: "packages/run-log/src/toolEventPayload.ts",
    find: "outputTail: tailOf(preview)",
    replace: "outputTail: outputTail + text",
    tests: ["packages/run-log/src/toolEventPayload.test.ts"],
  },
  {
    bug: "the words of a heartbeat are repeated by what follows",
    file: "packages/run-log/src/toolEventPayload.ts",
    find: "message: isHeartbeat ? last : payload.message",
    replace: "message: payload.message",
    tests: ["packages/run-log/src/toolEventPayload.test.ts"],
  },
  {
    bug: "a heartbeat drops what the call last said",
    file: "packages/run-log/src/stageParams.ts",
    find: "return shortResultOf(event.progress) ?? before;",
    replace: "return shortResultOf(event.progress);",
    tests: ["packages/run-log/src/projections/callbackSequences.test.ts"],
  },
  {
    bug: "a call that runs after its approval still says that it waits",
    file: "packages/run-log/src/stageParams.ts",
    find: '    case "call.run.started":\n      return undefined;',
    replace: '    case "call.run.started":\n      return before;',
    tests: ["packages/run-log/src/projections/callbackSequences.test.ts"],
  },
  {
    bug: "the output of a command repeats its exit code",
    file: "packages/run-log/src/command.ts",
    find: "return output.endsWith(note) ? output.slice(0, -note.length) : output;",
    replace: "return output;",
    tests: ["packages/run-log/src/command.test.ts"],
  },
  {
    bug: "a run ends with messages still waiting",
    file: "packages/run-log/src/draftsFor.ts",
    find: "    ...closingsOfQueue(state, nextRunId),\n",
    replace: "",
    tests: ["packages/run-log/src/queue.test.ts"],
  },
  {
    bug: "a message waits twice",
    file: "packages/run-log/src/laws.ts",
    find: "if (queuedOf(state, messageId)) {",
    replace: "if (messageOf(state, messageId) && queuedOf(state, messageId)) {",
    tests: ["packages/run-log/src/queue.test.ts"],
  },
  {
    bug: "a delivered message loses its images",
    file: "packages/run-log/src/queue.ts",
    find: "    ...images.map((image, index) => {",
    replace: "    ...images.slice(images.length).map((image, index) => {",
    tests: ["packages/run-log/src/queue.test.ts"],
  },
];
