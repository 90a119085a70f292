/** A run that only waits for somebody is parked: nothing of it is left in its process, and any other continues. */
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent } from "../agent.js";
import type { ApprovalReply } from "../approvals/approvalReply.js";
import { forkSession } from "../sessions/forkSession.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { createFakeClock } from "../system/fakeClock.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { dyingStore } from "../testing/dyingStore.js";
import { createGate } from "../testing/gate.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { SessionStore } from "../types/sessions.js";
import type { ToolDefinition, ToolResult } from "../types/tools.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

let ids = 0;

async function played(replies: readonly Reply[], options: AgentOptions): Promise<AgentStage> {
  const newId = (): string => `id-${++ids}`;
  const stage = await setAgentStage(replies, { sessionId: "s1", newId, ...options });
  stages.push(stage);
  return stage;
}

/** A tool that must be asked about, and how often it ran. */
function counted(name = "pay"): { readonly tool: ToolDefinition; readonly runs: string[] } {
  const runs: string[] = [];
  const tool = defineTool({
    name,
    description: "pays",
    kind: "execute",
    input: z.object({ to: z.string() }),
    run({ to }) {
      runs.push(to);
      return `paid ${to}`;
    },
  });
  return { tool, runs };
}

const pay = callsReply(["pay", { to: "ada" }]);
const memory = (): SessionStore => createMemorySessionStore({ clock: systemClock });

async function eventsIn(store: SessionStore): Promise<readonly RunEvent[]> {
  const log = await store.open("s1", { keepRunsOpen: true });
  const events: RunEvent[] = [];
  for (const runId of await log.runIds()) events.push(...(await log.read(runId, { after: 0 })));
  await log.close();
  return events;
}

function faultsIn(events: readonly RunEvent[]): readonly string[] {
  const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
  return findings.map(({ rule, message }) => `${rule}: ${message}`);
}

const typesIn = (events: readonly RunEvent[]): readonly string[] => events.map(({ type }) => type);

/** Continues with the run that was left, and gives this answer to every approval that it waits for. */
async function answered(agent: Agent, reply: ApprovalReply = { optionId: "allow_once" }) {
  const left = agent.leftRun;
  if (left === undefined) throw new Error("no run was left");
  const kept = createGate();
  const result = agent.continueRun(left.runId, { keptUntil: kept.opened });
  await new Promise((resolve) => setImmediate(resolve));
  const receipts = await Promise.all(
    left.questions.flatMap((question) =>
      question.type === "approval" ? [agent.answerApproval(question.approvalId, reply)] : [],
    ),
  );
  kept.open();
  return { receipts, result: await result };
}

describe("a run that only waits", () => {
  it("is parked, and an answer in another process runs its call once", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const parkedWith: unknown[] = [];
    const first = await played([pay], {
      tools: [tool],
      store,
      parkAfterMs: 0,
      callbacks: { onRunParked: (questions) => void parkedWith.push(questions) },
    });
    const parked = await first.agent.sendMessage("go", { runId: "run-1" });
    expect(parked).toMatchObject({
      outcome: "parked",
      questions: [{ type: "approval", callId: "call_0" }],
    });
    expect(parkedWith).toEqual([parked.questions]);
    expect(first.agent.pendingApprovals).toEqual([]);
    const { questions } = parked;
    expect(first.agent.leftRun).toEqual({ runId: "run-1", questions, hasLastingCalls: true });
    await first.agent.destroy();
    expect(typesIn(await eventsIn(store)).at(-1)).toBe("run.parked");

    const second = await played([textReply("Paid.")], { tools: [tool], store, parkAfterMs: 0 });
    const { receipts, result } = await answered(second.agent);
    expect(receipts).toEqual([{ status: "taken" }]);
    expect(result).toMatchObject({ runId: "run-1", outcome: "ok", text: "Paid." });
    expect(runs).toEqual(["ada"]);
    expect(second.agent.leftRun).toBeUndefined();
    const events = await second.agent.destroy().then(() => eventsIn(store));
    expect(faultsIn(events)).toEqual([]);
    expect(typesIn(events).filter((type) => type.startsWith("run."))).toEqual([
      "run.started",
      "run.parked",
      "run.resumed",
      "run.closed",
    ]);
    expect(second.server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", tool_calls: [{ id: "call_0" }] },
        { role: "tool", content: "paid ada" },
      ],
    });
  });

  it("waits for each answer in turn, and parks again in between", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const both = callsReply(["pay", { to: "ada" }], ["pay", { to: "bob" }]);
    const options = { tools: [tool], store, parkAfterMs: 0 };
    const first = await played([both], options);
    await first.agent.sendMessage("go", { runId: "run-1" });
    expect((await answered(first.agent)).result).toMatchObject({ outcome: "parked" });
    expect(runs).toEqual(["ada"]);
    await first.agent.destroy();
    const second = await played([textReply("Both.")], options);
    expect((await answered(second.agent, { optionId: "reject_once" })).result).toMatchObject({
      outcome: "ok",
    });
    expect(runs).toEqual(["ada"]);
    await second.agent.destroy();
    const ends = (await eventsIn(store)).flatMap((event) =>
      event.type === "call.closed" ? [event.outcome] : [],
    );
    expect(ends).toEqual(["ok", "denied"]);
  });

  it("of a nested agent continues where it was, at any depth", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const delegated = callsReply(["delegate", { task: "pay ada" }]);
    const deeper = callsReply(["delegate", { task: "really pay ada" }]);
    const options = { tools: [tool], store, parkAfterMs: 0 };
    const first = await played([delegated, deeper, pay], options);
    expect(await first.agent.sendMessage("go")).toMatchObject({ outcome: "parked" });
    await first.agent.destroy();
    const replies = [textReply("Inner done."), textReply("Outer done."), textReply("All done.")];
    const second = await played(replies, options);
    expect((await answered(second.agent)).result).toMatchObject({
      outcome: "ok",
      text: "All done.",
    });
    expect(runs).toEqual(["ada"]);
    await second.agent.destroy();
    const events = await eventsIn(store);
    expect(faultsIn(events)).toEqual([]);
    const users = events.filter(
      (event) => event.type === "message.opened" && event.role === "user",
    );
    expect(users.length).toBe(3);
  });

  it("waits in memory where it was not asked to park, and is parked when the agent is destroyed", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const asked = createGate();
    const first = await played([pay], {
      tools: [tool],
      store,
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = first.agent.sendMessage("go");
    await asked.opened;
    await first.agent.destroy();
    expect(await sent).toMatchObject({ outcome: "parked" });
    const second = await played([textReply("Paid.")], { tools: [tool], store });
    expect((await answered(second.agent)).result).toMatchObject({ outcome: "ok" });
    expect(runs).toEqual(["ada"]);
  });

  it("is not ended by a tool or a summary that waited behind it when the agent was destroyed", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const asked = createGate();
    const first = await played([pay], {
      tools: [tool],
      store,
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = first.agent.sendMessage("go");
    await asked.opened;
    const waiting = Promise.allSettled([
      first.agent.runTool("pay", { to: "bob" }),
      first.agent.compact(),
    ]);
    await first.agent.destroy();
    expect(await sent).toMatchObject({ outcome: "parked" });
    const refused = { status: "rejected", reason: { name: "AgentDestroyedError" } };
    expect(await waiting).toMatchObject([refused, refused]);
    const second = await played([textReply("Paid.")], { tools: [tool], store });
    expect((await answered(second.agent)).result).toMatchObject({ outcome: "ok" });
    expect(runs).toEqual(["ada"]);
  });

  it("keeps the message behind it, which is told so and starts the next run elsewhere", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const asked = createGate();
    const first = await played([pay], {
      tools: [tool],
      store,
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = first.agent.sendMessage("go", { runId: "run-1" });
    await asked.opened;
    const waiting = first.agent.sendMessage("and then?", { runId: "run-2" });
    await first.agent.destroy();
    expect(await waiting).toEqual(await sent);
    expect(await waiting).toMatchObject({ runId: "run-1", outcome: "parked" });
    const second = await played([textReply("Paid."), textReply("Nothing."), textReply("Over.")], {
      tools: [tool],
      store,
    });
    expect((await answered(second.agent)).result).toMatchObject({ outcome: "ok" });
    await second.agent.sendMessage("last");
    await second.agent.destroy();
    expect(runs).toEqual(["ada"]);
    const said = (await eventsIn(store)).flatMap((event) =>
      event.type === "message.opened" && event.role === "user" ? [event] : [],
    );
    expect(said.length).toBe(3);
  });

  it("is not asked twice: a copy of its session ends it, the original still waits", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const first = await played([pay], { tools: [tool], store, parkAfterMs: 0 });
    await first.agent.sendMessage("go");
    await first.agent.destroy();
    await forkSession(store, "s1", "s2", () => "run-copy");
    const copy = await store.open("s2", { keepRunsOpen: true });
    const [runId] = await copy.runIds();
    const copied = runId === undefined ? [] : await copy.read(runId, { after: 0 });
    await copy.close();
    expect(typesIn(copied).slice(-3)).toEqual(["run.parked", "call.closed", "run.closed"]);
    expect(copied.at(-1)).toMatchObject({ outcome: "cancelled" });
    expect(faultsIn(copied)).toEqual([]);
    const second = await played([textReply("Paid.")], { tools: [tool], store });
    expect((await answered(second.agent)).result).toMatchObject({ outcome: "ok" });
    expect(runs).toEqual(["ada"]);
  });

  it("is ended by a new message, and its call never runs", async () => {
    const store = memory();
    const { tool, runs } = counted();
    const { agent } = await played([pay, textReply("Something else.")], {
      tools: [tool],
      store,
      parkAfterMs: 0,
    });
    await agent.sendMessage("go", { runId: "run-1" });
    expect(await agent.sendMessage("no, wait", { runId: "run-2" })).toMatchObject({
      outcome: "ok",
    });
    await expect(agent.continueRun("run-1")).rejects.toThrow("it has ended");
    expect(runs).toEqual([]);
    await agent.destroy();
    const closed = (await eventsIn(store)).flatMap((event) =>
      event.type === "call.closed" || event.type === "run.closed" ? [event.outcome] : [],
    );
    expect(closed).toEqual(["cancelled", "cancelled", "ok"]);
  });

  it("whose question expired while nobody had it continues with a denial", async () => {
    const clock = createFakeClock();
    const store = createMemorySessionStore({ clock });
    const { tool, runs } = counted();
    const options = { tools: [tool], store, clock, approval: { timeoutMs: 60_000 } };
    const first = await played([pay], options);
    const sent = first.agent.sendMessage("go", { runId: "run-1" });
    await clock.untilAsleep(60_000);
    await first.agent.destroy();
    await sent;
    await clock.advance(90_000);
    const { agent } = await played([textReply("Not paid.")], options);
    expect(await agent.continueRun("run-1")).toMatchObject({ outcome: "ok", text: "Not paid." });
    expect(runs).toEqual([]);
    await agent.destroy();
    const events = await eventsIn(store);
    expect(events.find(({ type }) => type === "call.approval.answered")).toMatchObject({
      allowed: false,
      answeredBy: "deadline",
    });
  });

  it("can wait for ever", async () => {
    const clock = createFakeClock();
    const store = createMemorySessionStore({ clock });
    const { tool } = counted();
    const asked = createGate();
    const { agent } = await played([pay], {
      tools: [tool],
      store,
      clock,
      approval: { timeoutMs: null },
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = agent.sendMessage("go");
    await asked.opened;
    await clock.advance(10 * 365 * 24 * 3_600_000);
    expect(agent.pendingApprovals).toMatchObject([{ askedAt: 1_700_000_000_000 }]);
    expect(agent.pendingApprovals[0]?.expiresAt).toBeUndefined();
    agent.abortMessage();
    await sent;
  });
});

/** A tool of a client, which gives its result from outside. */
function clientTool(timeoutMs: number | null = null) {
  const waiting = new Map<string, (result: ToolResult) => void>();
  const base = defineTool({
    name: "browser_tab",
    description: "reads the tab",
    kind: "read",
    input: z.object({}),
    run: () => Promise.reject(new Error("a client executes it")),
  });
  const tool: ToolDefinition = {
    ...base,
    remote: {
      delegatedTo: "client",
      timeoutMs,
      wait(_, callId) {
        let isAnswered = false;
        const result = new Promise<ToolResult>((resolve) => {
          waiting.set(callId, (given) => {
            isAnswered = true;
            resolve(given);
          });
        });
        return {
          answered: result,
          isAnswered: () => isAnswered,
          withdraw: () => void waiting.delete(callId),
        };
      },
    },
  };
  return { tool, waiting };
}

describe("a call that a client executes", () => {
  const tab = callsReply(["browser_tab", {}]);

  it("parks its run, and ends with the result that comes later", async () => {
    const store = memory();
    const { tool, waiting } = clientTool();
    const options = { tools: [tool], store, parkAfterMs: 0 };
    const first = await played([tab], options);
    expect(await first.agent.sendMessage("go", { runId: "run-1" })).toMatchObject({
      outcome: "parked",
      questions: [{ type: "result", callId: "call_0" }],
    });
    expect(waiting.size).toBe(0);
    await first.agent.destroy();
    const second = await played([textReply("Read.")], options);
    const kept = createGate();
    const result = second.agent.continueRun("run-1", { keptUntil: kept.opened });
    await expect.poll(() => waiting.has("call_0")).toBe(true);
    waiting.get("call_0")?.({ output: "a page" });
    kept.open();
    expect(await result).toMatchObject({ outcome: "ok", text: "Read." });
    await second.agent.destroy();
    const events = await eventsIn(store);
    expect(faultsIn(events)).toEqual([]);
    expect(events.find(({ type }) => type === "call.run.started")).toMatchObject({
      delegatedTo: "client",
    });
    expect(events.find(({ type }) => type === "call.closed")).toMatchObject({ output: "a page" });
  });

  it("whose time was over while nobody had it ends, and names the whole time that it had", async () => {
    const clock = createFakeClock();
    const store = createMemorySessionStore({ clock });
    const { tool } = clientTool(5_000);
    const options = { tools: [tool], store, clock };
    const first = await played([tab], options);
    const sent = first.agent.sendMessage("go", { runId: "run-1" });
    await clock.untilAsleep(5_000);
    await first.agent.destroy();
    await sent;
    await clock.advance(90_000);
    const second = await played([textReply("Not read.")], options);
    expect(await second.agent.continueRun("run-1")).toMatchObject({ outcome: "ok" });
    await second.agent.destroy();
    const closed = (await eventsIn(store)).find(({ type }) => type === "call.closed");
    expect(closed).toMatchObject({ outcome: "timeout", message: "no result within 5 s" });
  });

  it("ends when it is cancelled, and when its time is over", async () => {
    const clock = createFakeClock();
    const { tool, waiting } = clientTool(5_000);
    const { agent } = await played([tab, tab, textReply("Enough.")], {
      tools: [tool],
      clock,
      store: createMemorySessionStore({ clock }),
    });
    const sent = agent.sendMessage("go");
    await expect.poll(() => waiting.has("call_0")).toBe(true);
    expect(agent.cancelCall("call_0", "not this one")).toBe(true);
    await expect.poll(() => waiting.has("call_0_2")).toBe(true);
    await clock.advance(5_000);
    expect(await sent).toMatchObject({ outcome: "ok" });
  });
});

describe("a process that dies between question and answer", () => {
  /** The change of the arguments survives together with the answer. */
  const amending: ApprovalReply = { optionId: "allow_once", input: { to: "bob" } };
  const moments = [
    "call.approval.asked",
    "run.parked",
    "run.resumed",
    "call.approval.answered",
    "call.run.started",
    "call.closed",
    "run.closed",
  ] as const;

  it.each(moments)(
    "before %s is stored: the call runs once, and only after an answer",
    async (fatal) => {
      const store = memory();
      const { tool, runs } = counted();
      const isFatal = ({ type }: RunEvent): boolean => type === fatal;
      const options = { tools: [tool], parkAfterMs: 0 };
      const dying = { ...options, store: dyingStore(store, isFatal) };
      const first = await played([pay], dying);
      await first.agent.sendMessage("go", { runId: "run-1" }).catch(() => undefined);
      await first.agent.destroy();
      if (first.agent.leftRun !== undefined || fatal === "run.parked") {
        const second = await played([textReply("Paid.")], dying);
        expect(runs).toEqual([]);
        await answered(second.agent, amending).catch(() => undefined);
        await second.agent.destroy();
      }
      const beforeLast = runs.length;
      const last = await played([textReply("Paid.")], { ...options, store });
      // What was recorded as allowed runs without another answer; what was started is not run again.
      const isOver = last.agent.leftRun === undefined;
      if (!isOver) await answered(last.agent, amending);
      await last.agent.destroy();
      const events = await eventsIn(store);
      expect(faultsIn(events)).toEqual([]);
      const answers = events.filter((event) => event.type === "call.approval.answered");
      const isStarted = events.some(({ type }) => type === "call.run.started");
      expect(answers.length).toBe(isStarted ? 1 : 0);
      expect(runs).toEqual(isStarted ? ["bob"] : []);
      expect({ fatal, beforeLast }).toEqual({ fatal, beforeLast: ranBefore.has(fatal) ? 1 : 0 });
    },
  );

  const ranBefore: ReadonlySet<string> = new Set(["run.parked", "call.closed", "run.closed"]);
});
