import type { Mutant } from "./mutant.js";

export const agentSdkMcp: readonly Mutant[] = [
  {
    bug: "a server's question is asked within a call of somebody else",
    file: "packages/agent-sdk/src/mcp/remoteCall.ts",
    find: "({ call }) => effectKey === undefined || call.effectKey === effectKey,",
    replace: "() => true,",
    tests: ["packages/agent-sdk/src/mcp/remoteCall.test.ts"],
  },
  {
    bug: "a server is told that it may ask although nobody can answer",
    file: "packages/agent-sdk/src/mcp/serverConnection.ts",
    find: "onElicit: canAsk ? calls.elicit : undefined,",
    replace: "onElicit: calls.elicit,",
    tests: ["packages/agent-sdk/src/mcp/elicitation.e2e.test.ts"],
  },
  {
    bug: "a question that expired is told to the server as declined",
    file: "packages/agent-sdk/src/mcp/elicitation.ts",
    find: 'return { action: "cancel" };',
    replace: 'return { action: "decline" };',
    tests: ["packages/agent-sdk/src/mcp/elicitation.e2e.test.ts"],
  },
  {
    bug: "the time in which a person is asked counts as the tool's",
    file: "packages/agent-sdk/src/tools/toolTime.ts",
    find: "if (life.questions.size > 0) await Promise.all(life.questions);",
    replace: "if (life.questions.size > 1_000) await Promise.all(life.questions);",
    tests: ["packages/agent-sdk/src/tools/toolService.test.ts"],
  },
  {
    bug: "each request renews the token by itself",
    file: "packages/agent-sdk/src/mcp/authorization.ts",
    find: "renewing ??= renew().finally(() => {",
    replace: "renewing = renew().finally(() => {",
    tests: ["packages/agent-sdk/src/mcp/login.e2e.test.ts"],
  },
  {
    bug: "a token is used until the server refuses it",
    file: "packages/agent-sdk/src/mcp/authorization.ts",
    find: "clock.now() < expiresAt - renewedBeforeMs",
    replace: "clock.now() < expiresAt",
    tests: ["packages/agent-sdk/src/mcp/login.e2e.test.ts"],
  },
  {
    bug: "the answer of another login is taken",
    file: "packages/agent-sdk/src/mcp/login.ts",
    find: 'if (answer.get("state") !== state) {',
    replace: 'if (answer.get("state") === null) {',
    tests: ["packages/agent-sdk/src/mcp/login.e2e.test.ts"],
  },
  {
    bug: "a login that another process has renewed is forgotten",
    file: "packages/agent-sdk/src/mcp/authorization.ts",
    find: "if (now?.tokens !== undefined && now.tokens.refresh_token !== refreshToken) return;",
    replace: "void now;",
    tests: ["packages/agent-sdk/src/mcp/login.e2e.test.ts"],
  },
  {
    bug: "a login that holds is lost to one that fails",
    file: "packages/agent-sdk/src/mcp/login.ts",
    find: '  if (answer.get("state") !== state) {',
    replace: '  await logins.write(config.url, undefined);\n  if (answer.get("state") !== state) {',
    tests: ["packages/agent-sdk/src/mcp/login.e2e.test.ts"],
  },
  {
    bug: "a call that needs a login does not ask for it",
    file: "packages/agent-sdk/src/mcp/mcpTool.ts",
    find: "await withLogin(server, context, () => server.call(call));",
    replace: "await server.call(call);",
    tests: ["packages/server/src/mcpLogins.int.test.ts"],
  },
];
