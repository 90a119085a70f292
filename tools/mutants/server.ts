import type { Mutant } from "./mutant.js";

const strangers = ["packages/server/src/strangers.int.test.ts"] as const;
const host = ["packages/server/src/runs/runHost.test.ts"] as const;
const schemaThread = ["packages/agent-sdk/src/tools/schemaThread.test.ts"] as const;
const clientTools = ["packages/server/src/runs/clientTools.test.ts"] as const;

export const server: readonly Mutant[] = [
  {
    bug: "the entry of a run under way is replaced by whoever names its id",
    file: "packages/server/src/runs/runHost.ts",
    find: "if (runs.has(runId) || starting.has(runId)) throw idTaken(runId);",
    replace: "",
    tests: host,
  },
  {
    bug: "one user takes every run slot",
    file: "packages/server/src/runs/runHost.ts",
    find: "      assertRoomFor(request.share);\n",
    replace: "",
    tests: host,
  },
  {
    bug: "an AG-UI run id is another user's run",
    file: "packages/server/src/routes/agUi.ts",
    find: 'runId: namedUuid("run", userId, body.runId)',
    replace: "runId: body.runId",
    tests: strangers,
  },
  {
    bug: "an idempotency key is shared between users",
    file: "packages/server/src/runs/startRun.ts",
    find: 'namedUuid("run", userId, ask.idempotencyKey)',
    replace: 'namedUuid("run", ask.idempotencyKey)',
    tests: strangers,
  },
  {
    bug: "commands of served agents see the server's environment",
    file: "packages/server/src/createServer.ts",
    find: "toolEnvironment(env, agent.environment)",
    replace: "{ ...env, ...agent.environment }",
    tests: strangers,
  },
  {
    bug: "notes of one user are another's",
    file: "packages/server/src/createServer.ts",
    find: "options.memoryOf(user)",
    replace: 'options.memoryOf({ userId: "00000000-0000-4000-8000-000000000000" })',
    tests: strangers,
  },
  {
    bug: "probes are limited",
    file: "packages/server/src/http/application.ts",
    find: "if (!route.isProbe) rateLimit",
    replace: "rateLimit",
    tests: strangers,
  },
  {
    bug: "a guest with a new fingerprint has a new bucket",
    file: "packages/server/src/http/application.ts",
    find: 'proof === "fingerprint"',
    replace: "address === undefined",
    tests: strangers,
  },
  {
    bug: "wrong tokens are not counted",
    file: "packages/server/src/http/application.ts",
    find: "wrongTokens.take(address);",
    replace: "{}",
    tests: strangers,
  },
  {
    bug: "a forged X-Forwarded-For is believed from anybody",
    file: "packages/server/src/http/clientAddress.ts",
    find: "while (isProxy(address)) {",
    replace: 'while (isProxy(address) || hops.some((hop) => hop !== "")) {',
    tests: ["packages/server/src/http/clientAddress.test.ts"],
  },
  {
    bug: "the schemas of a request have no limit together",
    file: "packages/server/src/runs/clientTools.ts",
    find: "if (chars > maxSchemaChars)",
    replace: "if (chars < 0)",
    tests: clientTools,
  },
  {
    bug: "streams of one owner are not counted",
    file: "packages/server/src/streams/openStreams.ts",
    find: "counts.set(owner, (counts.get(owner) ?? 0) + 1);",
    replace: "",
    tests: ["packages/server/src/streams/openStreams.test.ts"],
  },
  {
    bug: "bytes of bodies are not counted",
    file: "packages/server/src/http/requestBody.ts",
    find: "      onBytes(piece.length);\n",
    replace: "",
    tests: strangers,
  },
  {
    bug: "a schema that takes for ever is waited for",
    file: "packages/agent-sdk/src/tools/schemaThread.ts",
    find: "await Promise.race([running.answerTo(task), late])",
    replace: "await running.answerTo(task)",
    tests: schemaThread,
  },
  {
    bug: "a schema uses as much memory as it likes",
    file: "packages/agent-sdk/src/tools/schemaThread.ts",
    find: "resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },",
    replace: "resourceLimits: { maxOldGenerationSizeMb: 512 },",
    tests: schemaThread,
  },
  {
    bug: "one owner's schemas delay everybody's",
    file: "packages/agent-sdk/src/tools/fairQueue.ts",
    find: "    waiting.delete(owner);\n",
    replace: "",
    tests: ["packages/agent-sdk/src/tools/fairQueue.test.ts"],
  },
  {
    bug: "outputs of another session are readable",
    file: "packages/agent-sdk/src/services/outputFile.ts",
    find: "[sessionOutputFolder(outputs, sessionId)]",
    replace: "[outputs]",
    tests: ["packages/agent-sdk/src/tools/builtinTools.test.ts"],
  },
  {
    bug: "messages that wait never begin their run",
    file: "packages/server/src/runs/runHost.ts",
    find: "        if (run.left) options.onQueueLeft(run.left);\n",
    replace: "",
    tests: ["packages/server/src/queue.int.test.ts"],
  },
  {
    bug: "a run of a waiting message has another id than its key gives",
    file: "packages/server/src/runs/runHost.ts",
    find: "run.asks.get(first.messageId)?.runId ?? newId()",
    replace: "newId()",
    tests: ["packages/server/src/queue.int.test.ts"],
  },
  {
    bug: "a viewer lets a message wait in a conversation that they may only read",
    file: "packages/server/src/runs/queue.ts",
    find: 'if (!isAtLeast(access, "editor")) {',
    replace: "if (access === undefined) {",
    tests: ["packages/server/src/queue.int.test.ts"],
  },
];
