/** Long conversations: when they are compacted, what the model is told then, and what it costs. */
import type { EventOf, RunEvent } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRehearsalModel } from "../models/rehearsal.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate } from "../testing/gate.js";
import { openai } from "../testing/providerFrames.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { SessionStore } from "../types/sessions.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

let ids = 0;

async function played(replies: readonly Reply[], options: AgentOptions = {}): Promise<AgentStage> {
  const newId = (): string => `id-${++ids}`;
  const stage = await setAgentStage(replies, { newId, ...options });
  stages.push(stage);
  return stage;
}

const promptOf = (body: unknown): readonly unknown[] => {
  const messages =
    typeof body === "object" && body !== null && "messages" in body ? body.messages : undefined;
  return Array.isArray(messages) ? messages : [];
};

const compactions = (events: readonly RunEvent[]): readonly EventOf<"context.compacted">[] =>
  events.flatMap((event) => (event.type === "context.compacted" ? [event] : []));

const statuses = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "status.reported" ? [event.status] : []));

const summary = {
  role: "user",
  content: expect.stringMatching(/summary of its earlier part:\]\nS1$/),
};
const long = "words ".repeat(560);
const refusal: Reply = {
  status: 400,
  json: {
    error: {
      message: "This model's maximum context length is 1000 tokens. Your messages had 1200 tokens.",
      type: "invalid_request_error",
      code: "context_length_exceeded",
    },
  },
};

describe("a context that is nearly full", () => {
  it("is compacted before the next request: a summary, and the question word for word", async () => {
    const { agent, server, events, faults } = await played(
      [textReply("one"), textReply("S1"), textReply("two")],
      { contextWindow: 1_000 },
    );
    await agent.sendMessage(long);
    await agent.sendMessage("and now?");
    expect(promptOf(server.requests[1]?.body)).toEqual([
      { role: "user", content: expect.stringContaining("Summarise the conversation above") },
    ]);
    expect(promptOf(server.requests[2]?.body)).toEqual([
      summary,
      { role: "user", content: "and now?" },
    ]);
    expect(compactions(events)).toMatchObject([
      {
        cause: "full",
        summary: "S1",
        keptFrom: { messageId: expect.any(String) },
        before: { tokens: expect.any(Number), window: 1_000 },
        after: { tokens: expect.any(Number), window: 1_000 },
      },
    ]);
    const [compaction] = compactions(events);
    expect(compaction?.before.tokens).toBeGreaterThan(800);
    expect(compaction?.after.tokens).toBeLessThan(20);
    expect(statuses(events)).toEqual(["compacting"]);
    expect(await faults()).toEqual([]);
    expect(agent.messages.map(({ role, blocks }) => [role, blocks[0]?.type])).toEqual([
      ["user", "text"],
      ["assistant", "text"],
      ["user", "text"],
      ["assistant", "compaction"],
      ["assistant", "text"],
    ]);
  });

  it("keeps a question that is larger than what is kept of other turns", async () => {
    const { agent, server } = await played([textReply("one"), textReply("S1"), textReply("two")], {
      contextWindow: 1_000,
    });
    await agent.sendMessage(long);
    // A fifth of the window is kept: this is more.
    const question = "and what about this? ".repeat(60);
    await agent.sendMessage(question);
    expect(promptOf(server.requests[2]?.body)).toEqual([
      summary,
      { role: "user", content: question },
    ]);
  });

  it("stays short after the session is opened again", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const options = { contextWindow: 1_000, store, sessionId: "s1" };
    const first = await played([textReply("one"), textReply("S1"), textReply("two")], options);
    await first.agent.sendMessage(long);
    await first.agent.sendMessage("and now?");
    await first.agent.destroy();
    const { agent, server } = await played([textReply("three")], options);
    await agent.sendMessage("go on");
    expect(promptOf(server.requests[0]?.body)).toEqual([
      summary,
      { role: "user", content: "and now?" },
      { role: "assistant", content: "two" },
      { role: "user", content: "go on" },
    ]);
  });

  it("is left alone where nobody knows the window, or compacting is switched off", async () => {
    const unknown = await played([textReply("one"), textReply("two")]);
    await unknown.agent.sendMessage(long);
    await unknown.agent.sendMessage("and now?");
    expect(compactions(unknown.events)).toEqual([]);
    const off = await played([textReply("one"), textReply("two")], {
      contextWindow: 1_000,
      limits: { compactAt: undefined },
    });
    await off.agent.sendMessage(long);
    await off.agent.sendMessage("and now?");
    expect(compactions(off.events)).toEqual([]);
  });

  it("continues whole when the summary fails, and says so", async () => {
    const broken: Reply = { status: 400, json: { error: { message: "no summaries here" } } };
    const { agent, server, events } = await played([textReply("one"), broken, textReply("two")], {
      contextWindow: 1_000,
    });
    await agent.sendMessage(long);
    expect(await agent.sendMessage("and now?")).toMatchObject({ outcome: "ok", text: "two" });
    expect(promptOf(server.requests[2]?.body).length).toBe(3);
    expect(statuses(events)).toEqual(["compacting", "compaction_failed"]);
  });
});

describe("a request that is refused for its length", () => {
  it("is compacted and asked once more, and the window is known from then on", async () => {
    const { agent, server, events } = await played([
      textReply("one"),
      refusal,
      textReply("S1"),
      textReply("two"),
    ]);
    await agent.sendMessage(long);
    expect(await agent.sendMessage("and now?")).toMatchObject({ outcome: "ok", text: "two" });
    expect(promptOf(server.requests[3]?.body)).toEqual([
      summary,
      { role: "user", content: "and now?" },
    ]);
    expect(compactions(events)).toMatchObject([{ cause: "refused", after: { window: 1_000 } }]);
    expect(agent.context.window).toBe(1_000);
  });

  it("is asked once more only once: a second refusal ends the run with its reason", async () => {
    const { agent, server } = await played([textReply("one"), refusal, textReply("S1"), refusal]);
    await agent.sendMessage(long);
    const result = await agent.sendMessage("and now?");
    expect(result).toMatchObject({ outcome: "error" });
    expect(result.reason).toContain("maximum context length");
    expect(server.requests.length).toBe(4);
  });

  it("tells the next process what the model holds", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const options = { store, sessionId: "s1" };
    const first = await played(
      [textReply("one"), refusal, textReply("S1"), textReply("two")],
      options,
    );
    await first.agent.sendMessage(long);
    await first.agent.sendMessage("and now?");
    await first.agent.destroy();
    const { agent } = await played([], options);
    expect(agent.context.window).toBe(1_000);
  });
});

describe("a compaction", () => {
  const usageReply = (text: string, input: number): Reply => ({
    steps: [
      openai.text(text),
      openai.finish("stop"),
      openai.usage({ prompt_tokens: input, completion_tokens: 10 }),
    ],
  });

  it("costs what its request costs, for the run and for its budget", async () => {
    const { agent, events } = await played(
      [usageReply("one", 600), usageReply("S1", 650), usageReply("two", 20)],
      {
        contextWindow: 1_000,
        limits: { maxCostUsd: 0.7, compactAt: 0.5 },
        prices: { "test-model": { input: 1_000, output: 0 } },
      },
    );
    await agent.sendMessage(long);
    const result = await agent.sendMessage("and now?");
    const run = events.findLast(({ type }) => type === "run.closed");
    expect(run).toMatchObject({ usage: { inputTokens: 670 } });
    expect(result.usage.inputTokens).toBe(670);
    expect(result.usage.costUsd).toBeCloseTo(0.67);
  });

  it("is asked for with the options of the model, like every other request", async () => {
    const { agent, server } = await played([textReply("one"), textReply("S1"), textReply("two")], {
      contextWindow: 1_000,
      modelSettings: { headers: { "x-tenant": "a" }, temperature: 0.25, maxOutputTokens: 300 },
    });
    await agent.sendMessage(long);
    await agent.sendMessage("and now?");
    expect(server.requests.map(({ headers, body }) => [headers["x-tenant"], body])).toMatchObject(
      Array(3).fill(["a", { temperature: 0.25, max_tokens: 300 }]),
    );
  });

  const priced: AgentOptions = {
    contextWindow: 1_000,
    tools: [
      defineTool({
        name: "look",
        description: "",
        kind: "read",
        input: z.object({}),
        run: () => "",
      }),
    ],
    prices: { "test-model": { input: 1_000, output: 0 } },
  };
  const callReply: Reply = {
    steps: [
      ...(callsReply(["look", {}]).steps ?? []),
      openai.usage({ prompt_tokens: 20, completion_tokens: 10 }),
    ],
  };

  it.each([
    ["before a request", [usageReply("S1", 650), callReply], { compactAt: 0.5 }],
    ["after a refusal", [refusal, usageReply("S1", 650), callReply], { compactAt: 0.99 }],
  ])("%s uses up the budget of its run", async (_, replies, limits) => {
    const { agent, server } = await played([usageReply("one", 600), ...replies, textReply("x")], {
      ...priced,
      limits: { maxCostUsd: 0.62, ...limits },
    });
    await agent.sendMessage(long);
    // The answer alone costs 0.02: only with the summary is the budget used up.
    expect(await agent.sendMessage("and now?")).toMatchObject({ outcome: "limit", text: "x" });
    expect(server.requests.length).toBe(replies.length + 2);
  });

  it("on request is a run of its own, and nothing where there is nothing to summarise", async () => {
    const { agent, server, events, faults } = await played([
      textReply("one"),
      textReply("S1"),
      textReply("two"),
    ]);
    expect(await agent.compact({ runId: "r0" })).toEqual({ runId: "r0", status: "nothing" });
    await agent.sendMessage(long);
    const done = await agent.compact({ runId: "r1" });
    expect(done).toMatchObject({ runId: "r1", status: "compacted" });
    await agent.sendMessage("go on");
    expect(promptOf(server.requests[2]?.body)).toEqual([
      summary,
      { role: "assistant", content: "one" },
      { role: "user", content: "go on" },
    ]);
    expect(await faults()).toEqual([]);
    const run = events.filter(({ runId }) => runId === "r1").map(({ type }) => type);
    expect(run).toEqual(["run.started", "status.reported", "context.compacted", "run.closed"]);
    expect(compactions(events)).toMatchObject([{ cause: "asked" }]);
  });

  it("that is cancelled changes nothing", async () => {
    const never = new Promise<void>(() => undefined);
    const held: Reply = { steps: [openai.text("S"), { until: never }] };
    const { agent, server, events } = await played([textReply("one"), held, textReply("two")]);
    await agent.sendMessage(long);
    const abort = new AbortController();
    const done = agent.compact({ signal: abort.signal });
    await server.untilRequests(2);
    abort.abort("not now");
    expect(await done).toMatchObject({ status: "failed" });
    expect(events.findLast(({ type }) => type === "run.closed")).toMatchObject({
      outcome: "cancelled",
      reason: "not now",
    });
    await agent.sendMessage("go on");
    expect(promptOf(server.requests[2]?.body).length).toBe(3);
  });

  it("in whose middle the process dies leaves the whole conversation", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const dying: SessionStore = {
      ...store,
      async open(...opening) {
        const log = await store.open(...opening);
        const append: typeof log.append = (runId, expectedSeq, batch) =>
          batch.some(({ type }) => type === "context.compacted")
            ? Promise.reject(new Error("the process is gone"))
            : log.append(runId, expectedSeq, batch);
        return { ...log, append };
      },
    };
    const options = { contextWindow: 1_000, sessionId: "s1" };
    const first = await played([textReply("one"), textReply("S1")], { ...options, store: dying });
    await first.agent.sendMessage(long);
    await expect(first.agent.sendMessage("and now?")).rejects.toThrow("the process is gone");
    await first.agent.destroy();
    const { agent, server, faults, events } = await played([textReply("S2"), textReply("two")], {
      ...options,
      store,
    });
    await agent.sendMessage("again?");
    expect(promptOf(server.requests[1]?.body).slice(1)).toEqual([
      { role: "user", content: "and now?" },
      { role: "user", content: "again?" },
    ]);
    expect(await faults()).toEqual([]);
    expect(compactions(events).map((one) => one.summary)).toEqual(["S2"]);
  });

  it("waits with messages in its queue and lets them run after it", async () => {
    const gate = createGate();
    const held: Reply = {
      steps: [openai.text("S1"), { until: gate.opened }, openai.finish("stop")],
    };
    const { agent, server } = await played([textReply("one"), held, textReply("two")]);
    await agent.sendMessage(long);
    const done = agent.compact({ runId: "r1" });
    await server.untilRequests(2);
    const sent = agent.sendMessage("go on", { runId: "r2" });
    expect(agent.queue.map(({ text }) => text)).toEqual(["go on"]);
    gate.open();
    expect(await done).toMatchObject({ status: "compacted" });
    expect(await sent).toMatchObject({ runId: "r2", text: "two" });
  });

  it("works without a key: the rehearsal summarises, too", async () => {
    const { agent, events } = await played([], {
      model: createRehearsalModel(),
      contextWindow: 1_000,
    });
    await agent.sendMessage(long);
    const result = await agent.sendMessage("say hello");
    expect(result.text).toBe("Rehearsal: hello");
    expect(compactions(events).map(({ cause }) => cause)).toEqual(["full"]);
    expect(compactions(events)[0]?.summary).toMatch(/^Rehearsal: a summary of \d+ lines\.$/);
  });
});
