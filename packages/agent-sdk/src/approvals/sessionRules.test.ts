/** "For this session" outlives the agent that asked: the session's log says it, and only where it was said. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createFileSessionStore } from "../sessions/fileSessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { Logger } from "../types/logger.js";

const run = defineTool({
  name: "shell",
  description: "runs",
  kind: "execute",
  input: z.object({ command: z.string() }),
  approvalTarget: ({ command }) => String(command),
  run: ({ command }) => `ran ${command}`,
});

const quiet = (): void => undefined;
const quietLogger: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

let home: string;
const stages: AgentStage[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "callboard-rules-"));
});
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
  rmSync(home, { recursive: true });
});

let ids = 0;

/** An agent of its own on the session, as every message over HTTP has one: says how often it asked. */
async function asked(optionId: string, options: AgentOptions = {}, command = "ls") {
  let count = 0;
  const stage = await setAgentStage([callsReply(["shell", { command }]), textReply("ok")], {
    tools: [run],
    env: { CALLBOARD_HOME: home },
    workdir: home,
    sessionId: "one",
    store: createFileSessionStore({ home, logger: quietLogger, clock: systemClock }),
    newId: () => `id-${++ids}`,
    ...options,
    callbacks: {
      onApprovalRequested({ approvalId }) {
        count += 1;
        void stage.agent.answerApproval(approvalId, { optionId });
      },
    },
  });
  await stage.agent.sendMessage("go");
  const rules = stage.agent.approvalRules;
  await stage.close();
  return { count, rules };
}

describe("a rule for the session", () => {
  it("holds for the next agent of the session, and is shown as what it is", async () => {
    expect((await asked("allow_session")).count).toBe(1);
    expect(await asked("reject_once")).toEqual({
      count: 0,
      rules: [{ rule: "shell(ls)", effect: "allow", from: "session" }],
    });
    expect((await asked("reject_once", {}, "rm x")).count).toBe(1);
  });

  it.each([
    ["another session", { sessionId: "two" }],
    ["another folder", { workdir: tmpdir() }],
    ["another user", { userId: "somebody else" }],
  ])("does not hold for %s", async (_, options) => {
    await asked("allow_session");
    expect((await asked("allow_once", options)).count).toBe(1);
  });

  it("never wins over a rule that denies", async () => {
    await asked("allow_session");
    const { count, rules } = await asked("allow_once", { approval: { deny: ["shell"] } });
    expect(count).toBe(0);
    expect(rules[0]).toEqual({ rule: "shell", effect: "deny", from: "policy" });
  });

  it.each(["allow_once", "reject_once"])("is not what %s means", async (optionId) => {
    await asked(optionId);
    expect((await asked("allow_once")).count).toBe(1);
  });

  it("that was to be saved is the saved rules' business alone", async () => {
    const approval = { saveRule: () => undefined };
    await asked("allow_always", { approval });
    expect((await asked("allow_once", { approval })).count).toBe(1);
  });

  it("that could not be saved holds for its session", async () => {
    const approval = { saveRule: () => Promise.reject(new Error("disk full")) };
    await asked("allow_always", { approval });
    expect((await asked("allow_once", { approval })).count).toBe(0);
  });

  it("is left behind with its session, and found again with it", async () => {
    await asked("allow_session");
    const stage = await setAgentStage([], {
      tools: [run],
      workdir: home,
      sessionId: "one",
      store: createFileSessionStore({ home, logger: quietLogger, clock: systemClock }),
    });
    stages.push(stage);
    const held = [{ rule: "shell(ls)", effect: "allow", from: "session" }];
    expect(stage.agent.approvalRules).toEqual(held);
    await stage.agent.restoreSession("two");
    expect(stage.agent.approvalRules).toEqual([]);
    await stage.agent.restoreSession("one");
    expect(stage.agent.approvalRules).toEqual(held);
  });
});
