/** Going on with a run whose process died: the log, what the model is told, and what is refused. */
import { evolve, formatEventLine, initialState, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRehearsalModel } from "../models/rehearsal.js";
import { interruptionEndingOf } from "../sessions/interruption.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { dyingStore } from "../testing/dyingStore.js";
import { createGate } from "../testing/gate.js";
import { openai } from "../testing/providerFrames.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { SessionStore } from "../types/sessions.js";
import { RunNotContinuableError } from "./conversation.js";

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

/** What a process leaves behind that dies as soon as it wants to store such an event. */
async function died(
  store: SessionStore,
  replies: readonly Reply[],
  isFatal: (event: RunEvent) => boolean,
  options: AgentOptions = {},
  text = "go",
): Promise<void> {
  const { agent } = await played(replies, { ...options, store: dyingStore(store, isFatal) });
  await expect(agent.sendMessage(text, { runId: "run-1" })).rejects.toThrow("the process is gone");
  await agent.destroy();
}

async function logOf(store: SessionStore, runIds: readonly string[]): Promise<readonly string[]> {
  const log = await store.open("s1", { keepRunsOpen: true });
  const known = await log.runIds();
  expect(known).toEqual(runIds);
  const events: RunEvent[] = [];
  for (const runId of known) events.push(...(await log.read(runId, { after: 0 })));
  await log.close();
  const { findings } = checkStream(events.map(formatEventLine).join(""), { dialect: "log" });
  expect(findings).toEqual([]);
  return events.map(({ type }) => type);
}

const echo = defineTool({
  name: "echo",
  description: "says it again",
  kind: "read",
  input: z.object({ value: z.string() }),
  run: ({ value }) => `echo ${value}`,
});

const inCall = (event: RunEvent): boolean => event.type === "call.closed";

const asked = callsReply(["echo", { value: "x" }]);
const note = expect.stringMatching(/stopped here and was started again/);

describe("a run whose process died", () => {
  it("in a call continues in the same log, with a prompt that has an answer for every call", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    await died(store, [asked], inCall, { tools: [echo] });
    const told: string[] = [];
    const { agent, server, lives, faults } = await played([asked, textReply("It says x.")], {
      tools: [echo],
      store,
      keepRunsOpen: true,
      callbacks: { onStatusReported: (status) => void told.push(status) },
    });
    const result = await agent.continueRun("run-1");
    expect(result).toMatchObject({ runId: "run-1", outcome: "ok", text: "It says x." });
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", tool_calls: [{ id: "call_0" }] },
        { role: "tool", content: expect.stringContaining("TOOL ERROR [interrupted]") },
        { role: "user", content: note },
      ],
    });
    expect(told).toEqual(["continued"]);
    expect(lives()).toEqual({ call_0_2: "start streaming running end" });
    expect(await faults()).toEqual([]);
    expect(agent.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "assistant",
      "assistant",
    ]);
    await agent.destroy();
    expect((await logOf(store, ["run-1"])).filter((type) => type.startsWith("run."))).toEqual([
      "run.started",
      "run.closed",
    ]);
  });

  it("in the middle of its words continues after them", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const begun = createGate();
    const cut: Reply = { steps: [openai.text("Half of"), { until: begun.opened }] };
    const inWords = (event: RunEvent): boolean =>
      event.type === "text.closed" && event.text === "Half of";
    await died(store, [cut], inWords, {
      callbacks: { onAssistantContentUpdated: () => begun.open() },
    });
    const { agent, server } = await played([textReply("Whole.")], { store, keepRunsOpen: true });
    expect(await agent.continueRun("run-1")).toMatchObject({ outcome: "ok", text: "Whole." });
    expect(server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", content: "Half of" },
        { role: "user", content: note },
      ],
    });
  });

  it("in a rehearsal continues with the script that it was given", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const model = createRehearsalModel();
    const dying = { tools: [echo], model };
    await died(store, [], inCall, dying, 'call echo {"value":"x"}\nsay the end');
    const { agent } = await played([], { ...dying, store, keepRunsOpen: true });
    expect(await agent.continueRun("run-1")).toMatchObject({
      outcome: "ok",
      text: "Rehearsal: the end",
    });
  });

  it("counts its turns on, and what it had cost", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const usage = openai.usage({ prompt_tokens: 5, completion_tokens: 1, cost: 2 });
    await died(store, [{ steps: [...(asked.steps ?? []), usage] }], inCall, {
      tools: [echo],
    });
    const { agent, events, server } = await played([asked, asked], {
      tools: [echo],
      store,
      keepRunsOpen: true,
      limits: { maxCostUsd: 1 },
    });
    expect(await agent.continueRun("run-1")).toMatchObject({
      outcome: "limit",
      usage: { inputTokens: 5, costUsd: 2 },
    });
    expect(server.requests.length).toBe(1);
    const opened = events.flatMap((event) => (event.type === "call.opened" ? [event] : []));
    expect(opened.map(({ iteration }) => iteration)).toEqual([0, 1]);
  });

  it("can be aborted before it continues, and is closed all the same", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    await died(store, [asked], inCall, { tools: [echo] });
    const { agent, server } = await played([], { store, keepRunsOpen: true });
    const result = await agent.continueRun("run-1", { signal: AbortSignal.abort("no more") });
    expect(result.outcome).toBe("cancelled");
    expect(server.requests).toEqual([]);
    await agent.destroy();
    expect((await logOf(store, ["run-1"])).at(-1)).toBe("run.closed");
  });

  it("is not continued where another process ends it after the session was opened", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    await died(store, [asked], inCall, { tools: [echo] });
    let isEnded = false;
    const rival: SessionStore = {
      ...store,
      async open(...opening) {
        const log = await store.open(...opening);
        return {
          ...log,
          async read(runId, range) {
            const stored = await log.read(runId, { after: 0 });
            const state = stored.reduce(evolve, initialState);
            if (!isEnded)
              await log.append(
                runId,
                stored.length,
                interruptionEndingOf(state, systemClock.now()),
              );
            isEnded = true;
            return log.read(runId, range);
          },
        };
      },
    };
    const { agent, server } = await played([], { store: rival, keepRunsOpen: true });
    await expect(agent.continueRun("run-1")).rejects.toThrow(RunNotContinuableError);
    expect([isEnded, server.requests]).toEqual([true, []]);
    await agent.destroy();
    expect((await logOf(store, ["run-1"])).at(-1)).toBe("run.closed");
  });

  it("is ended by a new message", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    await died(store, [asked], inCall, { tools: [echo] });
    const closed: string[] = [];
    const { agent } = await played([textReply("New.")], {
      store,
      keepRunsOpen: true,
      callbacks: { onRunClosed: (outcome) => void closed.push(outcome) },
    });
    await agent.sendMessage("something else", { runId: "run-2" });
    expect(closed).toEqual(["interrupted", "ok"]);
    await expect(agent.continueRun("run-1")).rejects.toThrow("it has ended");
    await agent.destroy();
    const types = await logOf(store, ["run-1", "run-2"]);
    expect(types.filter((type) => type === "run.closed").length).toBe(2);
  });

  it("is closed as interrupted where nobody asked to keep it open", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    await died(store, [asked], inCall, { tools: [echo] });
    const { agent } = await played([], { store });
    await expect(agent.continueRun("run-1")).rejects.toThrow(RunNotContinuableError);
    await expect(agent.continueRun("run-1")).rejects.toThrow("keepRunsOpen");
    await expect(agent.continueRun("run-9")).rejects.toThrow("no such run");
  });
});

describe("a store that fails for a while", () => {
  it("leaves no run open behind: the next message ends it", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    let isBroken = false;
    const flaky: SessionStore = {
      ...store,
      async open(sessionId) {
        const log = await store.open(sessionId);
        return {
          ...log,
          async append(runId, expectedSeq, events) {
            const answer = await log.append(runId, expectedSeq, events);
            if (isBroken) throw new Error("no answer came");
            return answer;
          },
        };
      },
    };
    const { agent, faults } = await played([textReply("One."), textReply("Two.")], {
      store: flaky,
      callbacks: {
        onUserMessageAdded: (content) => {
          isBroken = content === "one";
        },
      },
    });
    await expect(agent.sendMessage("one")).rejects.toThrow("could not be stored: no answer came");
    isBroken = false;
    expect(await agent.sendMessage("two")).toMatchObject({ outcome: "ok", text: "Two." });
    expect(await faults()).toEqual([]);
  });
});

describe("a run", () => {
  it("has the id and the user that it is given", async () => {
    const { agent, events } = await played([textReply("Hi.")], { userId: "user-7" });
    expect(await agent.sendMessage("hi", { runId: "mine" })).toMatchObject({ runId: "mine" });
    expect(events[0]).toMatchObject({ type: "run.started", runId: "mine", userId: "user-7" });
    expect(events.every(({ runId }) => runId === "mine")).toBe(true);
  });
});
