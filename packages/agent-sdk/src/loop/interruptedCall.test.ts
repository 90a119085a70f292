/** Calls that had started when their process went away: nothing is repeated without knowing. */

import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { withoutUndefined } from "@callboard/run-log/values";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent } from "../agent.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { dyingStore } from "../testing/dyingStore.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { SessionStore } from "../types/sessions.js";
import type { OnInterrupted, Reconciliation, ToolDefinition } from "../types/tools.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

/** A tool that has an effect for each run, and the keys that it ran with. */
function paying(onInterrupted?: OnInterrupted<{ to: string }>): {
  readonly tool: ToolDefinition;
  readonly keys: string[];
} {
  const keys: string[] = [];
  const tool = defineTool({
    name: "pay",
    description: "pays",
    kind: "other",
    input: z.object({ to: z.string() }),
    approvalTarget: ({ to }) => String(to),
    ...withoutUndefined({ onInterrupted }),
    run({ to }, { effectKey }) {
      keys.push(effectKey);
      return `paid ${to}`;
    },
  });
  return { tool, keys };
}

let ids = 0;
const pay = callsReply(["pay", { to: "ada" }]);
const isEnd = ({ type }: RunEvent): boolean => type === "call.closed";

/** A process that dies after the effect of its call, before the end of the call is stored. */
async function died(tool: ToolDefinition, store: SessionStore): Promise<void> {
  const stage = await played([pay], { tools: [tool], store: dyingStore(store, isEnd) });
  await expect(stage.agent.sendMessage("go", { runId: "run-1" })).rejects.toThrow("is gone");
  await stage.agent.destroy();
}

async function played(
  replies: Parameters<typeof setAgentStage>[0],
  options: AgentOptions,
): Promise<AgentStage> {
  const newId = (): string => `id-${++ids}`;
  const stage = await setAgentStage(replies, {
    sessionId: "s1",
    newId,
    parkAfterMs: 0,
    ...options,
  });
  stages.push(stage);
  return stage;
}

async function continued(tool: ToolDefinition, store: SessionStore, options: AgentOptions = {}) {
  const stage = await played([textReply("Done.")], { tools: [tool], store, ...options });
  const { leftRun } = stage.agent;
  const result = leftRun && (await stage.agent.continueRun(leftRun.runId));
  return { stage, result };
}

async function answer(
  agent: Agent,
  optionId: string,
  tryBefore?: (approvalId: string) => Promise<void>,
): Promise<unknown> {
  const [question] = agent.leftRun?.questions ?? [];
  if (question?.type !== "approval") throw new Error("nothing is asked");
  const going = agent.continueRun("run-1", {
    keptUntil: new Promise((resolve) => setImmediate(resolve)),
  });
  await new Promise((resolve) => setImmediate(resolve));
  await tryBefore?.(question.approvalId);
  await agent.answerApproval(question.approvalId, { optionId });
  return going;
}

/** What is in the log of the call from its start on. */
async function callIn(store: SessionStore): Promise<readonly string[]> {
  for (const { agent } of stages) await agent.destroy();
  const log = await store.open("s1", { keepRunsOpen: true });
  const [runId] = await log.runIds();
  const events = runId === undefined ? [] : await log.read(runId, { after: 0 });
  await log.close();
  const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
  expect(findings).toEqual([]);
  return events.flatMap((event): string[] => {
    switch (event.type) {
      case "call.run.started":
        return [`started ${event.onInterrupted}`];
      case "call.run.progressed":
        return event.progress.type === "retry" ? [`retry ${event.progress.attempt}`] : [];
      case "call.approval.asked":
        return [`asked: ${event.reason}`];
      case "call.approval.answered":
        return [`answered ${event.allowed}`];
      case "call.closed":
        return [
          event.outcome === "ok" ? `ok: ${event.output}` : `${event.outcome}: ${event.message}`,
        ];
      default:
        return [];
    }
  });
}

const memory = (): SessionStore => createMemorySessionStore({ clock: systemClock });
const unknown = "the process ended while the call ran, and whether it had its effect is not known";

describe("a call that had started when its process went away", () => {
  it("is closed as interrupted, and its run with it, where its tool says nothing", async () => {
    const store = memory();
    const { tool, keys } = paying();
    await died(tool, store);
    const { result } = await continued(tool, store);
    expect({ result, runs: keys.length }).toEqual({ result: undefined, runs: 1 });
    expect(await callIn(store)).toEqual([
      "started undefined",
      "interrupted: the process ended before the run did",
    ]);
  });

  it("is tried again with the same key where that does no harm, but not for ever", async () => {
    const store = memory();
    const { tool, keys } = paying("retry");
    await died(tool, store);
    const { result } = await continued(tool, store);
    expect(result).toMatchObject({ runId: "run-1", outcome: "ok", text: "Done." });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await callIn(store)).toEqual(["started retry", "retry 1", "ok: paid ada"]);

    const other = memory();
    const deadly = paying("retry");
    await died(deadly.tool, other);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await continued(deadly.tool, dyingStore(other, isEnd)).catch(() => undefined);
      await stages.at(-1)?.agent.destroy();
    }
    await continued(deadly.tool, other);
    expect(deadly.keys).toHaveLength(6);
    expect((await callIn(other)).at(-1)).toBe(
      "interrupted: The process ended 5 times while the call ran. It is not run again.",
    );
  });

  const found: readonly (readonly [string, Reconciliation, readonly string[], number])[] = [
    ["was done", { status: "done", result: { output: "paid before" } }, ["ok: paid before"], 1],
    ["was not done", { status: "notDone" }, ["retry 1", "ok: paid ada"], 2],
  ];

  it.each(found)("is what its tool finds out: it %s", async (_, reconciliation, told, runs) => {
    const store = memory();
    const asked: unknown[] = [];
    const { tool, keys } = paying({
      reconcile(input, { effectKey }) {
        asked.push([input, effectKey]);
        return reconciliation;
      },
    });
    await died(tool, store);
    const { result } = await continued(tool, store);
    expect(result).toMatchObject({ outcome: "ok" });
    expect(asked).toEqual([[{ to: "ada" }, keys[0]]]);
    expect(keys).toHaveLength(runs);
    expect(await callIn(store)).toEqual(["started reconcile", ...told]);
  });

  const unsure: readonly (readonly [string, OnInterrupted<{ to: string }>])[] = [
    ["its tool wants it", "ask"],
    ["its tool cannot tell", { reconcile: () => ({ status: "unknown" }) }],
    ["its tool fails to find out", { reconcile: () => Promise.reject(new Error("no network")) }],
    ["its tool says something else", { reconcile: () => JSON.parse('{"status":"maybe"}') }],
  ];

  it.each(unsure)("is asked about where %s, and waits without a process", async (_, policy) => {
    const store = memory();
    const { tool, keys } = paying(policy);
    const name = typeof policy === "string" ? policy : "reconcile";
    await died(tool, store);
    const { result, stage } = await continued(tool, store);
    expect(result).toMatchObject({ outcome: "parked", questions: [{ callId: "call_0" }] });
    await stage.agent.destroy();
    expect(keys).toHaveLength(1);
    const last = await played([textReply("Done.")], { tools: [tool], store });
    expect(await answer(last.agent, "allow_once")).toMatchObject({ outcome: "ok" });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await callIn(store)).toEqual([
      `started ${name}`,
      `asked: pay: ${unknown}. Run it again?`,
      "answered true",
      "ok: paid ada",
    ]);
  });

  it("takes no other arguments and no rule: only whether it runs again is asked", async () => {
    const store = memory();
    const { tool, keys } = paying("ask");
    await died(tool, store);
    const { stage } = await continued(tool, store);
    await stage.agent.destroy();
    const { agent } = await played([textReply("Done.")], { tools: [tool], store });
    const going = answer(agent, "allow_once", async (id) => {
      const changed = { optionId: "allow_once", input: { to: "bob" } };
      expect(await agent.answerApproval(id, changed)).toEqual({
        ...{ status: "refused", field: "input" },
        reason: "The arguments of this call cannot be changed.",
      });
      expect(await agent.answerApproval(id, { optionId: "allow_always" })).toMatchObject({
        ...{ status: "refused", field: "optionId" },
      });
    });
    expect(await going).toMatchObject({ outcome: "ok" });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await callIn(store)).at(-1)).toBe("ok: paid ada");
  });

  it("is not run again where the person says no, and the model is told what is not known", async () => {
    const store = memory();
    const { tool, keys } = paying("ask");
    await died(tool, store);
    const { stage } = await continued(tool, store);
    await stage.agent.destroy();
    const last = await played([textReply("Done.")], { tools: [tool], store });
    await answer(last.agent, "reject_once");
    expect(keys).toHaveLength(1);
    expect((await callIn(store)).at(-1)).toBe(`denied: It was not run again: ${unknown}.`);
  });

  it("is closed as interrupted where nobody can be asked", async () => {
    const store = memory();
    const { tool, keys } = paying("ask");
    await died(tool, store);
    const { result } = await continued(tool, store, { approval: { otherwise: "deny" } });
    expect(result).toMatchObject({ outcome: "ok" });
    expect(keys).toHaveLength(1);
    expect(await callIn(store)).toEqual(["started ask", `interrupted: ${unknown}`]);
  });

  it("of a nested agent is taken up in the middle of its work", async () => {
    const store = memory();
    const { tool, keys } = paying("retry");
    const replies = [callsReply(["delegate", { task: "pay" }]), pay];
    const first = await played(replies, { tools: [tool], store: dyingStore(store, isEnd) });
    await expect(first.agent.sendMessage("go", { runId: "run-1" })).rejects.toThrow("is gone");
    await first.agent.destroy();
    const second = await played([textReply("Paid."), textReply("Done.")], { tools: [tool], store });
    expect(await second.agent.continueRun("run-1")).toMatchObject({ outcome: "ok", text: "Done." });
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const told = await callIn(store);
    expect(told).toEqual([
      "started undefined",
      "started retry",
      "retry 1",
      "ok: paid ada",
      "ok: Paid.",
    ]);
  });
});
