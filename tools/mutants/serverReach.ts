import type { Mutant } from "./mutant.js";

/** Planted bugs of the server where people outside are reached: webhooks, and how long they are waited for. */
export const serverReach: readonly Mutant[] = [
  {
    bug: "a webhook is sent to a private address",
    file: "packages/server/src/webhooks/notifier.ts",
    find: "if (!isPrivate) return",
    replace: "if (false) return",
    tests: ["packages/server/src/webhooks/notifier.test.ts"],
  },
  {
    bug: "a webhook that failed is taken for told",
    file: "packages/server/src/webhooks/notifier.ts",
    find: "return againMs === undefined ? done : { seq: toldSeq, againMs };",
    replace: "return done;",
    tests: ["packages/server/src/webhooks/notifier.test.ts"],
  },
  {
    bug: "a question is told again with each attempt of the next one",
    file: "packages/server/src/webhooks/notifier.ts",
    find: "    toldSeq = notice.seq;\n",
    replace: "",
    tests: ["packages/server/src/webhooks/notifier.test.ts"],
  },
  {
    bug: "the time of a webhook is not in seconds",
    file: "packages/server/src/webhooks/webhook.ts",
    find: "const timestamp = String(Math.floor(now / 1_000));",
    replace: "const timestamp = String(now);",
    tests: ["packages/server/src/webhooks/webhook.test.ts"],
  },
  {
    bug: "a webhook tells secrets of the arguments",
    file: "packages/server/src/runs/askedQuestions.ts",
    find: "redactor.redactJson(call.input.parsed ? call.input.value : {})",
    replace: "call.input.parsed ? call.input.value : {}",
    tests: ["packages/server/src/webhooks/notifier.test.ts"],
  },
  {
    bug: "approvals without end expire",
    file: "packages/server/src/settings.ts",
    find: 'if (env.CALLBOARD_APPROVAL_TIMEOUT === "none") return { timeoutMs: null };',
    replace: 'if (env.CALLBOARD_APPROVAL_TIMEOUT === "none") return {};',
    tests: ["packages/server/src/settings.test.ts"],
  },
  {
    bug: "whole outputs stay on the node that ran the call",
    file: "packages/server/src/runs/sharedOutputs.ts",
    find: "if (kept === undefined) return store;",
    replace: "return store;",
    tests: ["packages/server/src/outputs.int.test.ts"],
  },
  {
    bug: "a link gives the answer that stands beside the chosen one",
    file: "packages/server/src/routes/answerFields.ts",
    find: "choices[Number(place)] ?? []",
    replace: "choices[Number(place) + 1] ?? []",
    tests: ["packages/server/src/routes/answerFields.test.ts"],
  },
  {
    bug: "the page of an answer link shows the secrets of a question",
    file: "packages/server/src/routes/answerFields.ts",
    find: "htmlText(redacted(words).slice(0, mostWords))",
    replace: "htmlText(words.slice(0, mostWords))",
    tests: ["packages/server/src/routes/answerFields.test.ts"],
  },
  {
    bug: "nobody is told of a question of the model or of a client's call",
    file: "packages/server/src/runs/askedQuestions.ts",
    find: "approvalOf(view, call, redactor) ?? delegationOf(events, call, redactor)",
    replace: "approvalOf(view, call, redactor)",
    tests: ["packages/server/src/webhooks/notifier.test.ts"],
  },
  {
    bug: "the contract leaves out a line of the AI SDK's stream",
    file: "packages/run-log/src/http/foreignLines.ts",
    find: '  line("tool-output-denied", ofTool),\n',
    replace: "",
    tests: ["packages/testkit/src/foreignLines.test.ts"],
  },
];
