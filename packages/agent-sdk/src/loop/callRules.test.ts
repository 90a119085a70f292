/** The rules of an agent's user about interrupted and silent calls. */
import type { JsonObject, RunEvent } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { ApprovalRuleError } from "../approvals/approvalRules.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { dyingStore } from "../testing/dyingStore.js";
import { defineTool } from "../tools/defineTool.js";
import { createDelegateTool } from "../tools/delegate.js";
import type { AgentOptions } from "../types/agent.js";
import type { CallRule } from "../types/callRules.js";
import type { ToolDefinition, ToolOptions } from "../types/tools.js";
import { createCallRules } from "./callRules.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

function toolNamed(name: string, more: Partial<ToolOptions<unknown>> = {}): ToolDefinition {
  return defineTool({
    ...{ name, description: "runs", kind: "execute", input: { type: "object" } },
    approvalTarget: ({ command }) => (command === undefined ? undefined : String(command)),
    run: () => "",
    ...more,
  });
}

const shell = toolNamed("shell");

function applied(rules: readonly CallRule[], command: string, tool = shell) {
  const ruled = createCallRules(rules, "/work").toolFor(tool, { command });
  return { policy: ruled.onInterrupted, silence: ruled.silenceTimeoutMs };
}

const asks = (...tools: string[]): CallRule => ({ tools, onInterrupted: "ask" });
const retries = (...tools: string[]): CallRule => ({ tools, onInterrupted: "retry" });

describe("rules about calls", () => {
  it("leave the tool as it is where none covers the call", () => {
    const tool = toolNamed("shell", { onInterrupted: "retry", silenceTimeoutMs: 5 });
    const own = { policy: "retry", silence: 5 };
    expect(applied([], "deploy", tool)).toEqual(own);
    expect(applied([asks("mcp__bank__*", "shell(deploy *)")], "make", tool)).toEqual(own);
    expect(applied([asks("shell(deploy *)")], "deploy now", tool)).toMatchObject({ policy: "ask" });
    const ofServer = toolNamed("mcp__bank__pay", { toolType: "external_mcp" });
    expect(applied([asks("mcp__bank__*")], "any", ofServer).policy).toBe("ask");
  });

  it("ask as soon as a part of the call is covered, retry only the whole, and ask before they retry", () => {
    const line = "git fetch && deploy now";
    expect(applied([asks("shell(deploy *)")], line).policy).toBe("ask");
    expect(applied([retries("shell(git *)")], line).policy).toBeUndefined();
    expect(applied([retries("shell(git *)")], "git fetch").policy).toBe("retry");
    expect(applied([asks("shell"), retries("shell(git *)")], "git fetch").policy).toBe("ask");
  });

  it("ask where the tool does not say what its call would do", () => {
    const silent = toolNamed("shell", { approvalTarget: () => undefined });
    expect(applied([asks("shell(deploy *)")], "make", silent).policy).toBe("ask");
    expect(applied([retries("shell(make *)")], "make", silent).policy).toBeUndefined();
  });

  it("end a silent call after the shortest time", () => {
    const rules = [
      { tools: ["*"], silenceTimeoutMs: 900 },
      { tools: ["shell(deploy *)"], silenceTimeoutMs: 300 },
    ];
    expect(applied(rules, "deploy now").silence).toBe(300);
    expect(applied(rules, "make").silence).toBe(900);
  });

  it("apply to the calls of an agent, not to the agent, and not to a call that is executed elsewhere", () => {
    const never = (): Promise<never> => Promise.reject(new Error("not used"));
    const delegate = createDelegateTool({ agents: {}, run: never });
    const wait = (): never => {
      throw new Error("not used");
    };
    const remote = { ...shell, remote: { delegatedTo: "user", timeoutMs: null, wait } };
    const rules = createCallRules([{ ...asks("*"), silenceTimeoutMs: 9 }], "/work");
    for (const tool of [delegate, remote]) expect(rules.toolFor(tool, {})).toBe(tool);
  });

  it("are refused if they are not valid", () => {
    expect(() => createCallRules([asks("shell(")], "/work")).toThrow(ApprovalRuleError);
  });
});

describe("a call that a rule covers", () => {
  let ids = 0;
  const run = async (tool: ToolDefinition, input: JsonObject, options: AgentOptions) => {
    const stage = await setAgentStage([callsReply([tool.name, input]), textReply("Done.")], {
      ...{ sessionId: "s1", newId: () => `id-${++ids}`, parkAfterMs: 0, tools: [tool] },
      approval: { allow: ["*"] },
      ...options,
    });
    stages.push(stage);
    return stage.agent;
  };

  it.each([
    ["deploy staging", undefined],
    ["deploy production", { command: "deploy production" }],
  ])("is asked about after a crash, by the arguments it ran with: %s", async (command, amended) => {
    const store = createMemorySessionStore({ clock: systemClock });
    let runs = 0;
    const tool = toolNamed("shell", { run: () => `deployed ${++runs}` });
    const callRules = [asks("shell(deploy production)")];
    const changing = {
      name: "to production",
      beforeCall: () => (amended === undefined ? null : { input: amended }),
    };
    const isEnd = ({ type }: RunEvent): boolean => type === "call.closed";
    const first = await run(
      tool,
      { command: "deploy staging" },
      {
        ...{ callRules, store: dyingStore(store, isEnd) },
        hooks: [changing],
      },
    );
    await expect(first.sendMessage("go", { runId: "run-1" })).rejects.toThrow("is gone");
    await first.destroy();
    const second = await run(tool, {}, { callRules, store });
    const asked = second.leftRun && (await second.continueRun("run-1"));
    expect(asked?.outcome).toBe(command === "deploy production" ? "parked" : undefined);
    expect(runs).toBe(1);
  });

  it("ends when it is silent for longer than the rule allows", async () => {
    const tool = toolNamed("shell", { run: () => new Promise<never>(() => undefined) });
    const callRules = [{ tools: ["shell"], silenceTimeoutMs: 5 }];
    const agent = await run(tool, { command: "hang" }, { callRules, limits: { graceMs: 0 } });
    await agent.sendMessage("go");
    const end = agent.messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === "tool");
    expect(end).toMatchObject({
      error: expect.stringContaining("no sign of the tool for 0.005 s"),
    });
  });
});
