/** A real client that merges nothing: the AI SDK's provider for ACP agents, with its profile. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtProgram } from "@callboard/testkit";
import { createACPProvider } from "@mcpc-tech/acp-ai-provider";
import { afterEach, beforeEach, expect, it } from "vitest";

const program = builtProgram("packages/acp/dist/testing/agent-cli.js");
let home = "";

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "callboard-provider-"));
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true, maxRetries: 3 });
});

it("sees each call with its arguments once, its result, and why it failed with its exit code", async () => {
  const provider = createACPProvider({
    command: process.execPath,
    args: [...program],
    env: { CALLBOARD_HOME: join(home, "callboard"), ACP_PROFILE: "acp-ai-provider" },
    session: { cwd: home, mcpServers: [] },
  });
  const model = provider.languageModel();
  const failing = 'call shell {"command":"echo bad; exit 4"}';
  const text = `call shell {"command":"echo hi"}\n${failing}\nsay done`;
  const { stream } = await model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text }] }],
  });
  const parts: { readonly type: string; readonly [key: string]: unknown }[] = [];
  for await (const part of stream) parts.push({ ...part });
  provider.cleanup();
  const calls = parts.filter(({ type }) => type === "tool-call");
  expect(calls.map(({ input }) => JSON.parse(String(input)))).toEqual([
    { toolCallId: "rehearsal_1", toolName: expect.any(String), args: { command: "echo hi" } },
    {
      ...{ toolCallId: "rehearsal_2", toolName: expect.any(String) },
      args: { command: "echo bad; exit 4" },
    },
  ]);
  const results = parts.filter(({ type }) => type === "tool-result");
  expect(results.map(({ result, isError }) => [result, isError])).toEqual([
    ["hi\n", undefined],
    [new Error("bad\n\nexit code 4"), true],
  ]);
  const words = parts.filter(({ type }) => type === "text-delta").map(({ delta }) => delta);
  expect(words.join("")).toContain("Rehearsal: done");
  // This version of the client reads the usage of no agent, which docs/acp.md says; acpx does.
  expect(parts.at(-1)).toMatchObject({
    ...{ type: "finish", finishReason: { unified: "stop" } },
    usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
  });
});
