/** The key under which a call has its effect once: the same however often it is tried, and no other call's. */
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { mcpToolOf } from "../mcp/mcpTool.js";
import type { RemoteCall } from "../mcp/remoteCall.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import { effectKeyOf } from "../tools/effectKey.js";
import { testContext } from "../tools/testing/testContext.js";
import { ToolFailure } from "../utils/toolFailure.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

it("is given to a tool, the same in every attempt and another in every call", async () => {
  const keys: string[] = [];
  const pay = defineTool({
    name: "pay",
    description: "pays",
    kind: "other",
    retries: 1,
    input: z.object({ to: z.string() }),
    run({ to }, { effectKey }) {
      keys.push(effectKey);
      if (to === "ada" && keys.length === 1) {
        throw new ToolFailure("busy", "try again", { isRetryable: true });
      }
      return "paid";
    },
  });
  const both = callsReply(["pay", { to: "ada" }], ["pay", { to: "bob" }]);
  const stage = await setAgentStage([both, textReply("Done.")], {
    tools: [pay],
    store: createMemorySessionStore({ clock: systemClock }),
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 1), signal) },
    limits: { heartbeatMs: Number.POSITIVE_INFINITY },
  });
  stages.push(stage);
  await stage.agent.sendMessage("go", { runId: "run-1" });
  expect(keys.length).toBeGreaterThan(1);
  expect(new Set(keys)).toEqual(
    new Set([effectKeyOf("run-1", "call_0"), effectKeyOf("run-1", "call_1")]),
  );
  expect(effectKeyOf("run-1", "call_0")).toMatch(/^[0-9a-f]{32}$/);
  expect(effectKeyOf("a", "b c")).not.toBe(effectKeyOf("a b", "c"));
});

it("is told to MCP servers beside the arguments", async () => {
  const calls: RemoteCall[] = [];
  const tool = mcpToolOf(
    "mcp__s__t",
    { name: "t", inputSchema: { type: "object" } },
    {
      name: "s",
      timeoutMs: 1_000,
      trustsHints: false,
      tools: () => [],
      status: () => ({ name: "s", status: "connected", tools: 1 }),
      needsLogin: () => false,
      loginUrl: () => undefined,
      reach: () => Promise.resolve(),
      connect: () => Promise.resolve(),
      call(call) {
        calls.push(call);
        return Promise.resolve({ content: [{ type: "text", text: "done" }] });
      },
      close: () => Promise.resolve(),
    },
  );
  await tool.execute({ to: "ada" }, testContext("/"));
  expect(calls.map(({ meta }) => meta)).toEqual([{ "callboard/effectKey": "effect-1" }]);
});
