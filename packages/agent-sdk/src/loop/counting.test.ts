/** What is counted, and for whom: a continued run, nested agents, a call whose process died. */
import { type RunEvent, runEventSchema } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRehearsalModel } from "../models/rehearsal.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { createFakeClock } from "../system/fakeClock.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { dyingStore } from "../testing/dyingStore.js";
import { createGate } from "../testing/gate.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { Limits } from "../types/limits.js";
import { guardedPast } from "./guardedPast.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

let ids = 0;

async function played(replies: Parameters<typeof setAgentStage>[0], options: AgentOptions) {
  const newId = (): string => `id-${++ids}`;
  const stage = await setAgentStage(replies, { sessionId: "s1", newId, ...options });
  stages.push(stage);
  return stage;
}

const echo = defineTool({
  name: "echo",
  description: "says it again",
  kind: "read",
  input: z.object({ value: z.string() }),
  run: ({ value }) => `echo ${value}`,
});

const asks = (value: string) => callsReply(["echo", { value }]);

describe("a continued run", () => {
  /** Two turns and two calls are in the log; the process died after the second. */
  async function continued(limits: Partial<Limits>, first: string, second: string, next: string) {
    const store = createMemorySessionStore({ clock: systemClock });
    let answers = 0;
    const isThirdAnswer = (event: RunEvent): boolean =>
      event.type === "message.opened" && event.role === "assistant" && ++answers === 3;
    const options = { tools: [echo], limits };
    const before = await played([asks(first), asks(second), asks("never")], {
      ...options,
      store: dyingStore(store, isThirdAnswer),
    });
    await expect(before.agent.sendMessage("go", { runId: "run-1" })).rejects.toThrow(
      "the process is gone",
    );
    await before.agent.destroy();
    const { agent, events, server } = await played([asks(next), asks(`${next}!`), textReply("x")], {
      ...options,
      store,
      keepRunsOpen: true,
    });
    const { outcome, reason } = await agent.continueRun("run-1");
    // What is stored by now is read in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    const errors = events.flatMap((event) =>
      event.type === "call.closed" && event.outcome === "error" ? [event.errorType] : [],
    );
    return { outcome, reason, errors, requests: server.requests.length };
  }

  it("has made the turns that its log has", async () => {
    const run = await continued({ maxTurns: 3 }, "a", "b", "c");
    expect(run).toMatchObject({
      outcome: "limit",
      reason: "The run used all of its 3 turns.",
      requests: 1,
    });
  });

  it("has made the calls that its log has", async () => {
    const run = await continued({ maxCalls: 2 }, "a", "b", "c");
    expect(run).toMatchObject({ outcome: "limit", errors: ["call_limit", "call_limit"] });
  });

  it("has repeated itself as often as its log says", async () => {
    const run = await continued({ maxIdenticalCalls: 2 }, "same", "same", "same");
    expect(run).toMatchObject({ outcome: "ok", errors: ["repeated_call"] });
  });

  it("has run as long as its log says, without the time in which nobody had it", () => {
    const at = (time: number, rest: object): RunEvent =>
      runEventSchema.parse({ v: 1, runId: "r", seq: 1, at: time, ...rest });
    const beat = { type: "data.emitted", data: 1 };
    const past = [
      at(1_000, beat),
      at(3_000, beat),
      at(900_000, { type: "status.reported", status: "continued" }),
      at(900_500, beat),
    ];
    expect(guardedPast(past).elapsedMs).toBe(2_500);
  });
});

describe("nested agents that work side by side", () => {
  it("count their own calls", async () => {
    const other = createGate();
    const last = createGate();
    const step = defineTool({
      name: "step",
      description: "one step",
      kind: "read",
      concurrency: "safe",
      input: z.object({ name: z.string() }),
      async run({ name }) {
        // The first agent is in its only call while the second makes all of its own.
        if (name === "first") {
          other.open();
          await last.opened;
        } else await other.opened;
        if (name === "second 3") last.open();
        return name;
      },
    });
    const call = (name: string): string => `call step ${JSON.stringify({ name })}`;
    const task = (...names: string[]) => ({ task: names.map(call).join("\nthen\n") });
    const { agent, events } = await played([], {
      model: createRehearsalModel({ clock: systemClock, paceMs: 0 }),
      tools: [step],
    });
    const first = JSON.stringify(task("first"));
    const second = JSON.stringify(task("second 1", "second 2", "second 3"));
    await agent.sendMessage(`call delegate ${first}\ncall delegate ${second}`);
    const summaries = events.flatMap((event) =>
      event.type === "call.closed" && event.summary !== undefined ? [event.summary] : [],
    );
    expect(summaries.toSorted()).toEqual(["1 call", "3 calls"]);
  });
});

describe("a call whose closing could not be stored", () => {
  /** An agent that loses the closing of its call, after the call ran for 2.5 s. */
  async function cutShort() {
    const clock = createFakeClock();
    const store = createMemorySessionStore({ clock });
    const slow = defineTool({
      ...{ name: "slow", description: "slow", kind: "read", input: z.object({}) },
      async run(_, { progress }) {
        await clock.advance(2_500);
        progress("halfway");
        return "done";
      },
    });
    const broken = new Set(["call.closed"]);
    const isLost = ({ type }: RunEvent): boolean => broken.has(type);
    const replies = [callsReply(["slow", {}]), textReply("Next.")];
    const options = { tools: [slow], clock, store: dyingStore(store, isLost) };
    const stage = await played(replies, options);
    await expect(stage.agent.sendMessage("go")).rejects.toThrow("the process is gone");
    broken.clear();
    await clock.advance(3_600_000);
    return { ...stage, clock, store };
  }

  function expectEndAtLastEvent(events: readonly RunEvent[]): void {
    const started = events.find(({ type }) => type === "call.run.started");
    const call = events.find(({ type }) => type === "call.closed");
    const run = events.find(({ type }) => type === "run.closed");
    expect([call, run]).toMatchObject([{ outcome: "interrupted" }, { outcome: "interrupted" }]);
    expect([call, run].map((end) => (end?.at ?? 0) - (started?.at ?? 0))).toEqual([2_500, 2_500]);
  }

  it.each([false, true])("ran until its last event, for another process (%s)", async (isKept) => {
    const { agent, clock, store } = await cutShort();
    await agent.destroy();
    const options = { clock, store, keepRunsOpen: isKept };
    const after = await played([textReply("Next.")], options);
    await after.agent.sendMessage("next");
    expectEndAtLastEvent(after.events);
  });

  it("ran until its last event, for the next message of the same process", async () => {
    const { agent, events } = await cutShort();
    await agent.sendMessage("next");
    expectEndAtLastEvent(events);
  });
});
