/** A run that is asked for in a trace joins it, and what it asks others for belongs to the same trace. */
import { withoutUndefined } from "@callboard/run-log/values";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { mcpToolOf } from "../mcp/mcpTool.js";
import type { RemoteCall } from "../mcp/remoteCall.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import { createShellTool } from "../tools/shell.js";
import { testFolder } from "../tools/testing/testContext.js";
import {
  callerSpanOf,
  ownTraceparent,
  spanIdOf,
  takenTraceparent,
  traceIdOf,
} from "../tracing/traceContext.js";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const caller = `00-${traceId}-b7ad6b7169203331-01`;

const echo = defineTool({
  name: "echo",
  description: "echoes",
  kind: "read",
  input: z.object({ text: z.string() }),
  run: ({ text }) => text,
});

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function ran(traceparent: string | undefined) {
  const calls: RemoteCall[] = [];
  const remote = mcpToolOf(
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
  const shell = createShellTool({
    maxOutputChars: 1_000,
    outputFolder: await testFolder(),
    env: { PATH: process.env.PATH, TRACEPARENT: `00-${traceId}-ffffffffffffffff-01` },
  });
  const command = 'echo "in $TRACEPARENT"';
  const both = callsReply(["mcp__s__t", {}], ["shell", { command }]);
  const stage = await setAgentStage([both, textReply("Done.")], {
    tools: [remote, shell],
    approval: { allow: ["shell(**)", "mcp__s__t"] },
  });
  stages.push(stage);
  const trace = withoutUndefined({ traceparent });
  await stage.agent.sendMessage("go", { runId: "run-1", ...trace });
  const [started] = stage.events;
  return {
    kept: started?.type === "run.started" ? started.traceparent : "nothing",
    asked: stage.server.requests.map(({ headers }) => headers.traceparent),
    metas: calls.map(({ meta }) => meta.traceparent),
    outputs: stage.events.flatMap((event) =>
      event.type === "call.closed" && event.callId === "call_1" ? [event.output?.trimEnd()] : [],
    ),
  };
}

it("is kept in the log and sent to the model, to MCP servers and to commands", async () => {
  const span = (key: string) => `00-${traceId}-${spanIdOf("run-1", key)}-01`;
  expect(await ran(caller)).toEqual({
    kept: caller,
    asked: [span("run"), span("run")],
    metas: [span("call call_0")],
    outputs: [`in ${span("call call_1")}`],
  });
});

it("is sent to nobody where the run is in no trace, and a command finds no other one", async () => {
  expect(await ran(undefined)).toEqual({
    kept: undefined,
    asked: [undefined, undefined],
    metas: [undefined],
    outputs: ["in"],
  });
});

it("is joined by tools that a person runs, by summaries and by messages that waited", async () => {
  const other = `00-${traceId}-00f067aa0ba902b7-01`;
  const stage = await setAgentStage([textReply("One."), textReply("Two."), textReply("Sum.")], {
    tools: [echo],
    traceparent: caller,
  });
  stages.push(stage);
  const { agent } = stage;
  const first = agent.sendMessage("one", { runId: "first" });
  const waiting = agent.sendMessage("two", { runId: "second", traceparent: other });
  await Promise.all([first, waiting]);
  await agent.runTool("echo", { text: "x" }, { runId: "third", traceparent: other });
  await agent.runTool("echo", { text: "x" }, { runId: "fourth" });
  expect(await agent.compact({ runId: "fifth", traceparent: other })).toMatchObject({
    status: "compacted",
  });
  const joined = stage.events.flatMap((event) =>
    event.type === "run.started" ? [[event.runId, event.traceparent]] : [],
  );
  expect(joined).toEqual([
    ["first", caller],
    ["second", other],
    ["third", other],
    ["fourth", caller],
    ["fifth", other],
  ]);
  const runs = ["first", "second", "fifth"];
  expect(stage.server.requests.map(({ headers }) => headers.traceparent)).toEqual(
    runs.map((run) => `00-${traceId}-${spanIdOf(run, "run")}-01`),
  );
});

it.each([
  ["a wrong length", `00-${traceId}-b7ad-01`],
  ["a version that does not exist", `ff-${traceId}-b7ad6b7169203331-01`],
  ["no trace", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
  ["no span", `00-${traceId}-${"0".repeat(16)}-01`],
  ["a trace that nobody records", `00-${traceId}-b7ad6b7169203331-00`],
  ["nothing", ""],
])("is ignored where it has %s", (_, given) => {
  expect(takenTraceparent(given)).toBeUndefined();
});

it("of a later version is taken as far as it is known", () => {
  expect(takenTraceparent(`cc-${traceId}-b7ad6b7169203331-01-more`)).toBe(caller);
});

it("of a run that starts a trace names the run itself, which works for no other span", () => {
  const run = { runId: "run-1", traceparent: ownTraceparent("run-1") };
  expect(run.traceparent).toBe(
    `00-${traceIdOf({ runId: "run-1" })}-${spanIdOf("run-1", "run")}-01`,
  );
  expect(callerSpanOf(run)).toBeUndefined();
  expect(callerSpanOf({ runId: "run-1", traceparent: caller })).toBe("b7ad6b7169203331");
});
