/** A limit that asks: the run pauses, a person gives more or refuses, and the log keeps what was given. */
import {
  formatEventLine,
  type JsonObject,
  type PendingQuestion,
  type RunEvent,
  runId as runIdOf,
} from "@callboard/run-log";
import { limitRequestIn, limitToolName } from "@callboard/run-log/asking";
import { checkStream } from "@callboard/run-log/checker";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent } from "../agent.js";
import type { ApprovalReply } from "../approvals/approvalReply.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { createFakeClock } from "../system/fakeClock.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate } from "../testing/gate.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

const look = defineTool({
  name: "look",
  description: "looks",
  kind: "read",
  concurrency: "safe",
  input: z.object({ at: z.number() }),
  run: ({ at }) => `saw ${at}`,
});

const looks = (count: number): readonly Reply[] =>
  Array.from({ length: count }, (_, at) => callsReply(["look", { at }]));

let ids = 0;

async function played(replies: readonly Reply[], options: AgentOptions): Promise<AgentStage> {
  const newId = (): string => `id-${++ids}`;
  const stage = await setAgentStage(replies, { tools: [look], sessionId: "s1", newId, ...options });
  stages.push(stage);
  return stage;
}

interface Asked {
  readonly input: unknown;
  readonly reason: string | undefined;
}

/** Answers the questions of a session one after the other, each as soon as it is asked. */
async function answering(
  agent: Agent,
  replies: readonly ApprovalReply[],
  open?: readonly PendingQuestion[],
): Promise<void> {
  const left = [...replies];
  for await (const event of agent.events()) {
    if (event.type !== "call.approval.asked") continue;
    if (open?.every(({ callId }) => callId !== event.callId)) continue;
    const reply = left.shift();
    if (reply === undefined) return;
    expect(await agent.answerApproval(event.approvalId, reply)).toEqual({ status: "taken" });
  }
}

const questionsIn = (events: readonly RunEvent[]): readonly Asked[] =>
  events.flatMap((event) => {
    if (event.type !== "call.approval.asked") return [];
    const input = events.find(
      (one) => one.type === "call.input.closed" && one.callId === event.callId && one.parsed,
    );
    return input?.type === "call.input.closed" && input.parsed
      ? [{ input: input.input, reason: event.reason }]
      : [];
  });

const allow: ApprovalReply = { optionId: "allow_once" };
const reject: ApprovalReply = { optionId: "reject_once" };

const closingOf = (events: readonly RunEvent[]): unknown =>
  events.flatMap((event) => (event.type === "run.closed" ? [[event.outcome, event.reason]] : []));

describe("a limit that asks", () => {
  it("continues with what a person allows, as often as it is reached", async () => {
    const stage = await played([...looks(3), textReply("done")], {
      limits: { maxTurns: 2, onLimit: { turns: "ask" } },
    });
    const less = { limit: "turns", used: 2, allowed: 2, more: 1 };
    const answers = answering(stage.agent, [{ optionId: "allow_once", input: less }, allow]);
    const result = await stage.agent.sendMessage("go");
    expect(result).toMatchObject({ outcome: "ok", text: "done" });
    expect(questionsIn(stage.events)).toEqual([
      {
        input: { limit: "turns", used: 2, allowed: 2, more: 2 },
        reason: "The run has used 2 turns of 2 turns. Allow 2 turns more?",
      },
      {
        input: { limit: "turns", used: 3, allowed: 3, more: 2 },
        reason: "The run has used 3 turns of 3 turns. Allow 2 turns more?",
      },
    ]);
    // The model knows nothing of the question.
    const told = JSON.stringify(stage.server.requests.map(({ body }) => body));
    expect(told).not.toContain(limitToolName);
    expect(await stage.faults()).toEqual([]);
    await stage.agent.destroy();
    await answers;
  });

  it("of one turn asks once for each turn more", async () => {
    const stage = await played([...looks(2), textReply("done")], {
      limits: { maxTurns: 1, onLimit: "ask" },
    });
    const answers = answering(stage.agent, [allow, allow]);
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "done" });
    expect(questionsIn(stage.events).map(({ input }) => input)).toEqual([
      { limit: "turns", used: 1, allowed: 1, more: 1 },
      { limit: "turns", used: 2, allowed: 2, more: 1 },
    ]);
    await stage.agent.destroy();
    await answers;
  });

  it("gives the model one answer to end with where the answer is no", async () => {
    const stage = await played([...looks(2), textReply("so far")], {
      limits: { maxTurns: 2, onLimit: "ask" },
    });
    const answers = answering(stage.agent, [reject, reject]);
    const result = await stage.agent.sendMessage("go");
    const last =
      "All 2 turns of this run are used, and no person allowed more. Make no more calls: answer with what you have.";
    expect(result).toMatchObject({ outcome: "limit", text: "so far", reason: last });
    expect(questionsIn(stage.events)).toHaveLength(1);
    expect(await stage.faults()).toEqual([]);
    await stage.agent.destroy();
    await answers;
  });

  it("asks once where several calls reach it, and all of them continue", async () => {
    const three = callsReply(["look", { at: 1 }], ["look", { at: 2 }], ["look", { at: 3 }]);
    const stage = await played([three, textReply("done")], {
      limits: { maxCalls: 1, onLimit: { calls: "ask" } },
    });
    const two = { limit: "calls", used: 1, allowed: 1, more: 2 };
    const answers = answering(stage.agent, [{ optionId: "allow_once", input: two }, reject]);
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "done" });
    expect(questionsIn(stage.events)).toHaveLength(1);
    const outputs = stage.events.flatMap((event) =>
      event.type === "call.closed" && event.outcome === "ok" ? [event.output] : [],
    );
    expect(outputs).toEqual(["saw 1", "2 calls more: 3 calls in all.", "saw 2", "saw 3"]);
    await stage.agent.destroy();
    await answers;
  });

  it("takes no amount beyond the ceiling, and asks for none where it is reached", async () => {
    const stage = await played([...looks(2), textReply("done")], {
      limits: { maxTurns: 2, onLimit: "ask", ceiling: { turns: 3 } },
    });
    const asked = { limit: "turns", used: 2, allowed: 2, more: 1 };
    const sent = stage.agent.sendMessage("go");
    const receipts: unknown[] = [];
    for await (const event of stage.agent.events()) {
      if (event.type !== "call.approval.asked") continue;
      const answer = (input: JsonObject): Promise<unknown> =>
        stage.agent.answerApproval(event.approvalId, { optionId: "allow_once", input });
      receipts.push(await answer({ ...asked, more: 2 }));
      receipts.push(await answer({ ...asked, used: 0 }));
      receipts.push(await answer({ ...asked, more: 0.5 }));
      receipts.push(await answer(asked));
      break;
    }
    expect(receipts).toEqual([
      { status: "refused", reason: "`more` can be 1 at most.", field: "input" },
      { status: "refused", reason: "Only `more` can be changed.", field: "input" },
      { status: "refused", reason: "`more` must be a whole number.", field: "input" },
      { status: "taken" },
    ]);
    expect(await sent).toMatchObject({ outcome: "limit" });
    expect(questionsIn(stage.events)).toHaveLength(1);
  });

  it("is shared with nested agents, whose question is the run's", async () => {
    const stage = await played(
      [callsReply(["delegate", { task: "t" }]), ...looks(2), textReply("seen"), textReply("done")],
      { limits: { maxCalls: 2, onLimit: "ask" } },
    );
    const answers = answering(stage.agent, [allow]);
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "done" });
    const opened = stage.events.flatMap((event) =>
      event.type === "call.opened" ? [[event.toolName, event.openedBy, event.parentCallId]] : [],
    );
    expect(opened).toEqual([
      ["delegate", undefined, undefined],
      ["look", undefined, "call_0"],
      ["look", undefined, "call_0"],
      [limitToolName, "limit", undefined],
    ]);
    expect(await stage.faults()).toEqual([]);
    await stage.agent.destroy();
    await answers;
  });

  it("ends where nobody can be asked", async () => {
    const stage = await played([...looks(1), textReply("so far")], {
      limits: { maxTurns: 2, onLimit: "ask" },
      approval: { otherwise: "deny" },
    });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "limit" });
    expect(questionsIn(stage.events)).toEqual([]);
  });

  it("asks although every call is allowed, and a hook may answer", async () => {
    const stage = await played([...looks(4), textReply("done")], {
      limits: { maxTurns: 2, onLimit: "ask" },
      approval: { otherwise: "allow", allow: ["*"] },
      hooks: [
        {
          name: "purse",
          beforeCall: ({ openedBy, input }) =>
            openedBy === "limit" && limitRequestIn(input)?.used === 2
              ? { decision: "allow", reason: "it is cheap" }
              : undefined,
        },
      ],
    });
    const answers = answering(stage.agent, [allow]);
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "done" });
    const asked = { limit: "turns", used: 4, allowed: 4, more: 2 };
    expect(questionsIn(stage.events).map(({ input }) => input)).toEqual([asked]);
    await stage.agent.destroy();
    await answers;
  });
});

describe("a limit that asked and was parked", () => {
  const limits = { maxTurns: 2, onLimit: "ask" } as const;

  it("is answered in another process, which keeps what was given", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const first = await played(looks(2), { store, limits, parkAfterMs: 0 });
    expect(await first.agent.sendMessage("go")).toMatchObject({ outcome: "parked" });
    await first.agent.destroy();
    // Each process gives two turns more, and what comes after them asks again.
    let runId = "";
    for (const _process of ["second", "third"]) {
      const next = await played(looks(2), { store, limits, parkAfterMs: 0, keepRunsOpen: true });
      const { leftRun } = next.agent;
      runId = leftRun?.runId ?? "";
      const kept = createGate();
      const gone = next.agent.continueRun(runId, { keptUntil: kept.opened });
      const answers = answering(next.agent, [allow], leftRun?.questions);
      kept.open();
      expect(await gone).toMatchObject({ outcome: "parked" });
      await next.agent.destroy();
      await answers;
    }
    const log = await store.open("s1", { keepRunsOpen: true });
    const events = await log.read(runIdOf(runId), { after: 0 });
    await log.close();
    expect(questionsIn(events).map(({ input }) => input)).toEqual([
      { limit: "turns", used: 2, allowed: 2, more: 2 },
      { limit: "turns", used: 4, allowed: 4, more: 2 },
      { limit: "turns", used: 6, allowed: 6, more: 2 },
    ]);
    const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
    expect(findings.map(({ rule }) => rule)).toEqual([]);
    expect(closingOf(events)).toEqual([]);
  });
});

describe("a limit whose agent is destroyed while it asks", () => {
  it("is asked again in the next process, which continues with what was given", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const limits = { maxTurns: 2, onLimit: "ask" } as const;
    const first = await played(looks(2), { store, limits });
    const going = first.agent.sendMessage("go", { runId: "run-1" });
    await expect.poll(() => first.agent.pendingApprovals.length).toBe(1);
    await first.agent.destroy();
    expect(await going).toMatchObject({ outcome: "parked", questions: [{ type: "approval" }] });
    const next = await played([textReply("done")], { store, limits });
    const { leftRun } = next.agent;
    const gone = next.agent.continueRun("run-1");
    const answers = answering(next.agent, [allow], leftRun?.questions);
    expect(await gone).toMatchObject({ outcome: "ok", text: "done" });
    await next.agent.destroy();
    await answers;
  });
});

describe("a limit of time", () => {
  it("does not count the time in which everything waits for a person", async () => {
    const clock = createFakeClock();
    const pay = defineTool({
      name: "pay",
      description: "pays",
      kind: "execute",
      input: z.object({}),
      run: () => "paid",
    });
    const stage = await played([callsReply(["pay", {}]), textReply("done")], {
      tools: [pay],
      clock,
      limits: { maxRunMs: 60_000 },
    });
    const sent = stage.agent.sendMessage("go");
    for await (const event of stage.agent.events()) {
      if (event.type !== "call.approval.asked") continue;
      await clock.advance(3_600_000);
      await stage.agent.answerApproval(event.approvalId, allow);
      break;
    }
    expect(await sent).toMatchObject({ outcome: "ok", text: "done" });
  });

  it("asks before the next answer, and ends as timed out where the answer is no", async () => {
    const clock = createFakeClock();
    const slow = defineTool({
      name: "slow",
      description: "takes a minute",
      kind: "read",
      input: z.object({}),
      async run() {
        await clock.advance(61_000);
        return "slept";
      },
    });
    const replies = [callsReply(["slow", {}]), callsReply(["slow", {}])];
    const stage = await played(replies, {
      tools: [slow],
      clock,
      limits: { maxRunMs: 60_000, onLimit: { time: "ask" } },
    });
    const answers = answering(stage.agent, [allow, reject]);
    const reason = "the run took longer than 122 s";
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "timeout", reason });
    expect(questionsIn(stage.events).map(({ reason: why }) => why)).toEqual([
      "The run has used 61 s of 60 s. Allow 60 s more?",
      "The run has used 122 s of 120 s. Allow 60 s more?",
    ]);
    expect(await stage.faults()).toEqual([]);
    await stage.agent.destroy();
    await answers;
  });
});
