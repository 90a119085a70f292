/** "Always" outlives the agent: saved, shown, read again, and only where it was said. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { Agent } from "../agent.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";

const run = defineTool({
  name: "shell",
  description: "runs",
  kind: "execute",
  input: z.object({ command: z.string() }),
  approvalTarget: ({ command }) => String(command),
  run: ({ command }) => `ran ${command}`,
});

let home: string;
const stages: AgentStage[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "callboard-saved-"));
});
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
  rmSync(home, { recursive: true });
});

/** An agent whose every question is answered with this option. */
async function answering(optionId: string, options: AgentOptions = {}) {
  const asked: (string | undefined)[] = [];
  const stage = await setAgentStage([callsReply(["shell", { command: "ls" }]), textReply("ok")], {
    tools: [run],
    env: { CALLBOARD_HOME: home },
    workdir: home,
    ...options,
    callbacks: {
      onApprovalRequested({ approvalId, options: offered }) {
        asked.push(offered.find((one) => one.optionId === optionId)?.rule);
        void stage.agent.answerApproval(approvalId, { optionId });
      },
    },
  });
  stages.push(stage);
  await stage.agent.sendMessage("go");
  return { ...stage, asked };
}

describe("a rule for always", () => {
  it.each([
    ["allow_always", "allow", true],
    ["reject_always", "deny", false],
  ] as const)(
    "%s is shown before, saved, and asks nobody next time",
    async (option, effect, success) => {
      const first = await answering(option);
      expect(first.asked).toEqual(["shell(ls)"]);
      expect(first.agent.approvalRules).toEqual([{ rule: "shell(ls)", effect, from: "saved" }]);
      expect(await readFile(join(home, "approvals.jsonl"), "utf8")).toBe(
        `${JSON.stringify({ [effect]: "shell(ls)", in: home })}\n`,
      );
      const second = await answering("reject_once");
      expect(second.asked).toEqual([]);
      expect(second.stages.at(-1)).toMatchObject({ stage: "end", success });
      expect(second.agent.approvalRules).toEqual([{ rule: "shell(ls)", effect, from: "saved" }]);
    },
  );

  it("holds in no other folder, unless the file says so", async () => {
    await answering("allow_always");
    expect((await answering("allow_once", { workdir: tmpdir() })).asked.length).toBe(1);
    writeFileSync(join(home, "approvals.jsonl"), '{"allow":"shell(ls)"}\n');
    expect((await answering("allow_once", { workdir: tmpdir() })).asked.length).toBe(0);
  });

  it("never wins over a rule that denies", async () => {
    await answering("allow_always");
    const { asked, stages: told } = await answering("allow_once", {
      approval: { deny: ["shell"] },
    });
    expect(asked).toEqual([]);
    expect(told.at(-1)).toMatchObject({ success: false });
  });

  it("is the business of whoever keeps rules elsewhere", async () => {
    await answering("allow_always");
    const saved: string[] = [];
    const { asked, agent } = await answering("allow_always", {
      approval: { saveRule: (rule, effect) => void saved.push(`${effect} ${rule}`) },
    });
    expect(asked).toEqual(["shell(ls)"]);
    expect(saved).toEqual(["allow shell(ls)"]);
    expect(agent.approvalRules).toEqual([{ rule: "shell(ls)", effect: "allow", from: "saved" }]);
  });

  it("that cannot be saved holds for this session, and the log says so", async () => {
    const { agent, logged } = await answering("allow_always", {
      approval: { saveRule: () => Promise.reject(new Error("disk full")) },
    });
    expect(agent.approvalRules).toEqual([{ rule: "shell(ls)", effect: "allow", from: "session" }]);
    expect(logged).toEqual(["error: Saving a rule failed; it applies to this session only."]);
  });

  it("is forgotten on disk and in the agent, and other lines of the file stay as they are", async () => {
    const path = join(home, "approvals.jsonl");
    const others = `# mine\n{"allow":"shell(ls)","in":"/elsewhere"}\n`;
    writeFileSync(path, others);
    const { agent } = await answering("allow_always");
    const [saved] = agent.approvalRules.filter(({ from }) => from === "saved");
    if (saved === undefined) throw new Error("nothing was saved");
    expect(await agent.removeApprovalRule(saved)).toBe(true);
    expect(await readFile(path, "utf8")).toBe(others);
    expect(agent.approvalRules.filter(({ from }) => from === "saved")).toEqual([]);
    expect(await agent.removeApprovalRule(saved)).toBe(false);
  });

  it("of the options is not forgotten", async () => {
    const { agent } = await answering("allow_once", { approval: { deny: ["shell(rm *)"] } });
    const [rule] = agent.approvalRules;
    if (rule === undefined) throw new Error("there is no rule");
    expect(await agent.removeApprovalRule(rule)).toBe(false);
    expect(agent.approvalRules).toEqual([rule]);
  });
});

it("a session's rule is shown as one, and the policy's as such", async () => {
  const { agent } = await answering("allow_session", { approval: { deny: ["shell(rm *)"] } });
  expect(agent.approvalRules).toEqual([
    { rule: "shell(rm *)", effect: "deny", from: "policy" },
    { rule: "shell(ls)", effect: "allow", from: "session" },
  ]);
});

it("a broken file is named before anything runs", async () => {
  writeFileSync(join(home, "approvals.jsonl"), "allow everything\n");
  await expect(Agent.create({ env: { CALLBOARD_HOME: home }, tools: [] })).rejects.toThrow(
    `${join(home, "approvals.jsonl")}:1 is not an approval rule`,
  );
});
