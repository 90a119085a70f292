/** The agent's surface: queue, cancel, approvals, commands, sessions, nested agents, guards, retries. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Agent } from "./agent.js";
import { AgentDestroyedError } from "./loop/agentTurns.js";
import { createMemorySessionStore } from "./sessions/memorySessionStore.js";
import { createFakeClock } from "./system/fakeClock.js";
import { systemClock } from "./system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "./testing/agentStage.js";
import { createGate } from "./testing/gate.js";
import { openai } from "./testing/providerFrames.js";
import type { Reply } from "./testing/providerServer.js";
import { defineTool } from "./tools/defineTool.js";
import type { AgentOptions } from "./types/agent.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function played(replies: readonly Reply[], options: AgentOptions = {}): Promise<AgentStage> {
  stage = await setAgentStage(replies, options);
  return stage;
}

const write = defineTool({
  name: "write_file",
  description: "writes",
  kind: "edit",
  input: z.object({ path: z.string() }),
  needsApproval: true,
  approvalTarget: ({ path }) => String(path),
  run: ({ path }) => `wrote ${path}`,
});

const echo = defineTool({
  name: "echo",
  description: "says it again",
  kind: "read",
  concurrency: "safe",
  input: z.object({ value: z.string().default("") }),
  aliases: ["core_echo"],
  run: ({ value }) => `echo ${value}`,
});

describe("messages", () => {
  it("can be ended in the breath in which they were sent", async () => {
    const { agent } = await played([textReply("hello")]);
    const sent = agent.sendMessage("go");
    const waits = agent.sendMessage("and then");
    agent.abortMessage("changed my mind");
    expect(await sent).toMatchObject({ outcome: "cancelled" });
    expect(await waits).toMatchObject({ outcome: "ok" });
  });

  it("are told, stored and handed out as one and the same", async () => {
    const seen: string[] = [];
    const { agent, events } = await played([textReply("Hello you.")], {
      callbacks: {
        onUserMessageAdded: (content) => void seen.push(`user ${content}`),
        onAssistantMessageAdded: () => void seen.push("assistant"),
        onAssistantContentUpdated: (chunk, accumulated) =>
          void seen.push(`${chunk}|${accumulated}`),
        onMessagesChange: (messages) => void seen.push(`${messages.length} messages`),
      },
    });
    const result = await agent.sendMessage("Hi");
    expect(result).toMatchObject({ outcome: "ok", text: "Hello you." });
    expect(seen).toContain("user Hi");
    expect(seen).toContain("Hello you.|Hello you.");
    expect(seen.indexOf("assistant")).toBeLessThan(seen.indexOf("Hello you.|Hello you."));
    expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(events.at(-1)).toMatchObject({ type: "run.closed", outcome: "ok" });
  });

  it("sent while busy wait for their turn, in order, each with the whole conversation", async () => {
    const gate = createGate();
    const first: Reply = {
      steps: [openai.text("one"), { until: gate.opened }, openai.finish("stop")],
    };
    const { agent, server } = await played([first, textReply("two"), textReply("three")]);
    const sent = ["a", "b", "c"].map((text) => agent.sendMessage(text));
    await server.untilRequests(1);
    expect(agent.isBusy).toBe(true);
    expect(server.requests.length).toBe(1);
    gate.open();
    expect((await Promise.all(sent)).map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(server.requests.at(-1)?.body).toMatchObject({
      messages: [
        { role: "user", content: "a" },
        { role: "assistant", content: "one" },
        { role: "user", content: "b" },
        { role: "assistant", content: "two" },
        { role: "user", content: "c" },
      ],
    });
    expect(agent.isBusy).toBe(false);
  });

  it("aborted while they wait never reach the model, and say so in the log", async () => {
    const gate = createGate();
    const first: Reply = {
      steps: [openai.text("one"), { until: gate.opened }, openai.finish("stop")],
    };
    const { agent, server } = await played([first]);
    const one = agent.sendMessage("a");
    const controller = new AbortController();
    const two = agent.sendMessage("b", { signal: controller.signal });
    await server.untilRequests(1);
    controller.abort("not needed");
    gate.open();
    expect(await one).toMatchObject({ outcome: "ok" });
    expect(await two).toMatchObject({ outcome: "cancelled" });
    expect(server.requests.length).toBe(1);
  });

  it("carry pictures to the model and into the log", async () => {
    const { agent, server, events } = await played([textReply("A cat.")]);
    await agent.sendMessage("What is it?", { images: [{ data: "aGk=", mediaType: "image/png" }] });
    expect(JSON.stringify(server.requests[0]?.body)).toContain("data:image/png;base64,aGk=");
    expect(events.some(({ type }) => type === "image.attached")).toBe(true);
  });

  it("are refused after the agent was destroyed", async () => {
    const { agent } = await played([]);
    await agent.destroy();
    await expect(agent.sendMessage("hello")).rejects.toThrow(AgentDestroyedError);
  });
});

describe("approvals", () => {
  const ask = (optionId: string, message?: string) => {
    const requests: string[] = [];
    const holder: { agent?: Agent } = {};
    const options: AgentOptions = {
      tools: [write],
      callbacks: {
        onApprovalRequested({ approvalId, options: offered }) {
          requests.push(offered.map((option) => option.optionId).join(" "));
          const reply = message === undefined ? { optionId } : { optionId, message };
          void holder.agent?.answerApproval(approvalId, reply);
        },
      },
    };
    return { requests, holder, options };
  };
  const twice = [
    callsReply(["write_file", { path: "a.txt" }]),
    callsReply(["write_file", { path: "a.txt" }]),
    textReply("Done."),
  ];

  it("given once are asked for again", async () => {
    const { requests, holder, options } = ask("allow_once");
    const { agent, faults } = await played(twice, options);
    holder.agent = agent;
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(requests.length).toBe(2);
    expect(requests[0]).toBe("allow_once allow_session allow_always reject_once reject_always");
    expect(await faults()).toEqual([]);
  });

  it("given for always are saved with the exact rule and not asked for again", async () => {
    const saved: string[] = [];
    const { requests, holder, options } = ask("allow_always");
    const { agent, events } = await played(twice, {
      ...options,
      approval: { saveRule: (rule, effect) => void saved.push(`${effect} ${rule}`) },
    });
    holder.agent = agent;
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(requests.length).toBe(1);
    expect(saved).toEqual(["allow write_file(a.txt)"]);
    expect(events.find(({ type }) => type === "call.approval.answered")).toMatchObject({
      allowed: true,
      rule: "write_file(a.txt)",
    });
  });

  it("refused with a message are an answer to the model, not a crash", async () => {
    const { holder, options } = ask("reject_once", "use b.txt instead");
    const { agent, server, stages } = await played(
      [callsReply(["write_file", { path: "a.txt" }]), textReply("I will.")],
      options,
    );
    holder.agent = agent;
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "I will." });
    expect(stages.at(-1)).toMatchObject({ success: false, error: "use b.txt instead" });
    expect(JSON.stringify(server.requests[1]?.body)).toContain("use b.txt instead");
  });

  it("by rule ask nobody; deny wins", async () => {
    const { agent, stages } = await played(
      [
        callsReply(["write_file", { path: "src/a.ts" }], ["write_file", { path: "secret/b" }]),
        textReply("ok"),
      ],
      { tools: [write], approval: { allow: ["write(**)"], deny: ["write_file(secret/**)"] } },
    );
    await agent.sendMessage("go");
    const ends = stages.filter(({ stage: reached }) => reached === "end");
    expect(ends.map(({ success }) => success)).toEqual([true, false]);
  });

  it("that nobody answers in time are denials", async () => {
    const { agent, stages } = await played(
      [callsReply(["write_file", { path: "a" }]), textReply("ok")],
      { tools: [write], approval: { timeoutMs: 5 } },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(stages.at(-1)).toMatchObject({ stage: "end", success: false });
  });

  it("are given up when the message is aborted", async () => {
    const asked = createGate();
    const { agent, faults, stages } = await played([callsReply(["write_file", { path: "a" }])], {
      tools: [write],
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = agent.sendMessage("go");
    await asked.opened;
    expect(agent.pendingApprovals.length).toBe(1);
    agent.abortMessage("enough");
    expect(await sent).toMatchObject({ outcome: "cancelled" });
    expect(stages.at(-1)).toMatchObject({ success: false, error: "enough" });
    expect(await faults()).toEqual([]);
  });

  it("answered with nonsense, or unknown, are refused with a reason", async () => {
    const { agent } = await played([]);
    for (const optionId of ["maybe", "allow_everything", "reject_"]) {
      expect(await agent.answerApproval("x", { optionId })).toMatchObject({
        status: "refused",
        reason: `There is no option ${optionId}: answer with one of those that were offered.`,
      });
    }
    expect(await agent.answerApproval("x", { optionId: "allow_once" })).toMatchObject({
      status: "refused",
    });
  });
});

describe("one call", () => {
  it("can be cancelled alone: the model is told and continues", async () => {
    const begun = createGate();
    const slow = defineTool({
      name: "slow",
      description: "waits",
      kind: "read",
      concurrency: "safe",
      input: z.object({}),
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          begun.open();
          signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
        }),
    });
    const { agent, stages, faults } = await played(
      [callsReply(["slow", {}], ["echo", { value: "x" }]), textReply("One was enough.")],
      { tools: [slow, echo] },
    );
    const sent = agent.sendMessage("go");
    await begun.opened;
    expect(agent.cancelCall("nobody")).toBe(false);
    expect(agent.cancelCall("call_0", "too slow")).toBe(true);
    expect(await sent).toMatchObject({ outcome: "ok", text: "One was enough." });
    const ends = stages.filter(({ stage: reached }) => reached === "end");
    expect(ends.find(({ id }) => id === "call_0")).toMatchObject({
      success: false,
      error: "too slow",
    });
    expect(ends.find(({ id }) => id === "call_1")).toMatchObject({ success: true });
    expect(agent.cancelCall("call_0")).toBe(false);
    expect(await faults()).toEqual([]);
  });

  it("is not started any more once the message was aborted", async () => {
    const begun = createGate();
    let runs = 0;
    const first = defineTool({
      name: "first",
      description: "waits",
      kind: "read",
      input: z.object({}),
      async run(_, { signal }) {
        runs += 1;
        begun.open();
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        return "stopped";
      },
    });
    const { agent, lives, faults } = await played(
      [callsReply(["first", {}], ["first", {}], ["echo", { value: "x" }])],
      { tools: [first, echo] },
    );
    const sent = agent.sendMessage("go");
    await begun.opened;
    agent.abortMessage("enough");
    expect(await sent).toMatchObject({ outcome: "cancelled" });
    expect(runs).toBe(1);
    expect(lives()).toEqual({
      call_0: "start streaming running end",
      call_1: "start streaming end",
      call_2: "start streaming end",
    });
    expect(await faults()).toEqual([]);
  });

  it("by an old name runs under the new one", async () => {
    const { agent, stages } = await played(
      [callsReply(["core_echo", { value: "x" }]), textReply("ok")],
      {
        tools: [echo],
      },
    );
    await agent.sendMessage("go");
    expect(stages.at(-1)).toMatchObject({ name: "echo", success: true, result: "echo x" });
  });

  it("shows its short form while its arguments stream", async () => {
    const steps = [
      openai.start(0, "c", "echo"),
      openai.input(0, '{"value":"he'),
      openai.input(0, 'llo"}'),
      openai.finish("tool_calls"),
    ];
    const { agent, stages } = await played([{ steps }, textReply("ok")], { tools: [echo] });
    await agent.sendMessage("go");
    const streaming = stages.filter(({ parametersChunk }) => parametersChunk !== undefined);
    expect(streaming.map(({ compactParams }) => compactParams)).toEqual(["he", "hello"]);
  });

  it("whose output is too long keeps it whole in a file", async () => {
    const long = "x".repeat(5_000);
    const home = mkdtempSync(join(tmpdir(), "callboard-agent-"));
    const big = defineTool({
      name: "big",
      description: "says much",
      kind: "read",
      input: z.object({}),
      run: () => long,
    });
    const { agent, events } = await played([callsReply(["big", {}]), textReply("ok")], {
      tools: [big],
      limits: { maxOutputChars: 1_000 },
      env: { CALLBOARD_HOME: home },
    });
    await agent.sendMessage("go");
    const closed = events.find(({ type }) => type === "call.closed");
    expect(closed).toMatchObject({ persistKey: expect.any(String), filePath: expect.any(String) });
    if (closed?.type !== "call.closed" || closed.filePath === undefined) throw new Error("no file");
    expect(readFileSync(closed.filePath, "utf8")).toBe(long);
    rmSync(home, { recursive: true });
    expect(closed.output?.length).toBeLessThan(1_200);
  });
});

describe("a nested agent", () => {
  it("that nobody named is none, also by the name of something that every object has", async () => {
    const { agent, stages } = await played(
      [callsReply(["delegate", { task: "look", agent: "toString" }]), textReply("ok")],
      { tools: [echo], agents: { helper: { description: "helps" } } },
    );
    await agent.sendMessage("go");
    expect(stages.at(-1)).toMatchObject({
      success: false,
      error: "There is no agent toString. There are: helper.",
    });
  });

  it("works inside the log of its caller, and its cost is the call's", async () => {
    const usage = (tokens: number) => openai.usage({ prompt_tokens: tokens, completion_tokens: 1 });
    const { agent, events, stages, faults } = await played(
      [
        { steps: [...(callsReply(["delegate", { task: "look" }]).steps ?? []), usage(10)] },
        { steps: [...(callsReply(["echo", { value: "x" }]).steps ?? []), usage(100)] },
        { steps: [openai.text("It is x."), openai.finish("stop"), usage(1_000)] },
        { steps: [openai.text("x, they say."), openai.finish("stop"), usage(20)] },
      ],
      { tools: [echo] },
    );
    const result = await agent.sendMessage("go");
    expect(result).toMatchObject({ outcome: "ok", text: "x, they say." });
    expect(result.usage.inputTokens).toBe(1_130);
    const nested = stages.filter(
      ({ name, stage: reached }) => name === "echo" && reached === "end",
    );
    expect(nested).toMatchObject([{ parentCallId: "call_0", success: true }]);
    const delegate = events.find(
      (event) => event.type === "call.closed" && event.callId === "call_0",
    );
    expect(delegate).toMatchObject({
      outcome: "ok",
      output: "It is x.",
      usage: { inputTokens: 1_100 },
    });
    expect(await faults()).toEqual([]);
    const block = agent.messages
      .flatMap(({ blocks }) => blocks)
      .find(({ type }) => type === "subagent");
    expect(block).toMatchObject({ status: "completed", messages: [{}, {}, {}] });
  });

  it("may not delegate for ever", async () => {
    const deep = Array.from({ length: 8 }, () => callsReply(["delegate", { task: "again" }]));
    const { agent, stages, faults } = await played(
      [...deep, ...Array.from({ length: 8 }, () => textReply("stop"))],
      {
        tools: [echo],
        limits: { maxDepth: 2 },
      },
    );
    await agent.sendMessage("go");
    expect(stages.some(({ error }) => error?.includes("delegate 2 deep"))).toBe(true);
    expect(await faults()).toEqual([]);
  });
});

describe("guards", () => {
  it("tell the model about repetition first, then end the run", async () => {
    const again = Array.from({ length: 12 }, () => callsReply(["echo", { value: "same" }]));
    const { agent, stages, server, faults } = await played(again, { tools: [echo] });
    const result = await agent.sendMessage("go");
    expect(result.outcome).toBe("limit");
    expect(stages.some(({ error }) => error?.includes("these very arguments"))).toBe(true);
    expect(server.requests.length).toBeLessThan(8);
    expect(await faults()).toEqual([]);
  });

  it.each([
    ["calls", { maxCalls: 2 }, (n: number) => `${"ab".repeat(n * 7)}`, "All 2 calls"],
    [
      "calls a minute",
      { maxCallsPerMinute: 2 },
      (n: number) => `${"ab".repeat(n * 7)}`,
      "a minute",
    ],
    [
      "alike calls",
      { maxSimilarCalls: 3 },
      (n: number) => `how to set up a monorepo${"!".repeat(n)}`,
      "in circles",
    ],
  ])("tell the model of too many %s, then end the run", async (_, limits, value, words) => {
    const more = Array.from({ length: 9 }, (_answer, n) =>
      callsReply(["know", { value: value(n) }]),
    );
    const know = defineTool({
      name: "know",
      description: "says one thing",
      kind: "read",
      input: z.object({ value: z.string() }),
      run: () => "known",
    });
    const { agent, stages, server, faults } = await played(more, { tools: [know], limits });
    expect(await agent.sendMessage("go")).toMatchObject({
      outcome: "limit",
      reason: expect.stringContaining(words),
    });
    const told = stages.flatMap(({ error }) => (error?.includes(words) ? [error] : []));
    expect(told.length).toBeGreaterThan(1);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain(words);
    expect(await faults()).toEqual([]);
  });

  it("end a run whose time is over in the middle of an answer", async () => {
    const clock = createFakeClock();
    const hanging: Reply = { steps: [openai.text("well"), { hang: true }] };
    const { agent, server, faults } = await played([hanging], {
      clock,
      limits: { maxRunMs: 9_000 },
    });
    const sent = agent.sendMessage("go");
    await server.untilRequests(1);
    await clock.untilAsleep(9_000);
    await clock.advance(9_000);
    const reason = "the run took longer than 9 s";
    expect(await sent).toMatchObject({ outcome: "timeout", reason });
    expect(await faults()).toEqual([]);
  });

  it("end a run that takes too many turns, after telling the model", async () => {
    const more = Array.from({ length: 5 }, (_, index) =>
      callsReply(["echo", { value: `${index}` }]),
    );
    const { agent, server } = await played(more, { tools: [echo], limits: { maxTurns: 3 } });
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "limit" });
    expect(server.requests.length).toBe(3);
    expect(JSON.stringify(server.requests[2]?.body)).toContain("the last");
  });
});

describe("a provider that fails", () => {
  it("before its first word is asked again, and people are told", async () => {
    const told: string[] = [];
    const { agent, faults } = await played(
      [
        { status: 429, headers: { "retry-after": "0" }, json: { error: { message: "slow down" } } },
        textReply("Now."),
      ],
      { callbacks: { onStatusReported: (status) => void told.push(status) } },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Now." });
    expect(told).toEqual(["retrying"]);
    expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(await faults()).toEqual([]);
  });

  it("for good is an outcome with a reason, and the conversation continues", async () => {
    const { agent, server } = await played([
      { status: 401, json: { error: { message: "bad key" } } },
      textReply("Better."),
    ]);
    expect(await agent.sendMessage("one")).toMatchObject({ outcome: "error" });
    expect(await agent.sendMessage("two")).toMatchObject({ outcome: "ok", text: "Better." });
    expect(server.requests.length).toBe(2);
  });
});

describe("sessions", () => {
  it("are restored with their messages, and the next request is valid", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const first = await played([callsReply(["echo", { value: "x" }]), textReply("x.")], {
      tools: [echo],
      store,
      sessionId: "s1",
    });
    await first.agent.sendMessage("go");
    const before = first.agent.messages;
    await first.close();
    const ids: string[] = [];
    const second = await played([textReply("Again.")], {
      tools: [echo],
      store,
      callbacks: { onSessionIdChange: (id) => void ids.push(id) },
    });
    await second.agent.restoreSession("s1");
    expect(second.agent.sessionId).toBe("s1");
    expect(ids.at(-1)).toBe("s1");
    expect(second.agent.messages).toEqual(before);
    await second.agent.sendMessage("and now?");
    expect(second.server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [{}] },
        { role: "tool" },
        { role: "assistant" },
        { role: "user", content: "and now?" },
      ],
    });
  });

  it("that cannot be read are not entered: the agent stays where it is", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const broken = {
      ...store,
      async open(sessionId: string) {
        const log = await store.open(sessionId);
        if (sessionId !== "bad") return log;
        const history = (): never => {
          throw new Error("cannot be read");
        };
        return { ...log, history };
      },
    };
    const { agent } = await played([textReply("one"), textReply("two")], {
      store: broken,
      sessionId: "good",
    });
    await agent.sendMessage("a");
    const before = agent.messages;
    await expect(agent.restoreSession("bad")).rejects.toThrow("cannot be read");
    expect(agent.sessionId).toBe("good");
    expect(agent.messages).toEqual(before);
    expect(await agent.sendMessage("b")).toMatchObject({ outcome: "ok", text: "two" });
    await (await store.open("bad")).close();
  });

  it("give their events from any position, and on as they come", async () => {
    const { agent, events } = await played([textReply("one"), textReply("two")]);
    await agent.sendMessage("a");
    const after = events.length;
    const later: string[] = [];
    const reading = (async () => {
      for await (const event of agent.events({ after })) {
        later.push(event.type);
        if (event.type === "run.closed") break;
      }
    })();
    await agent.sendMessage("b");
    await reading;
    expect(later[0]).toBe("run.started");
    expect(later.at(-1)).toBe("run.closed");
  });

  it("that cannot be written stop the run, and nothing is shown that is not stored", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    let appends = 0;
    const shown: string[] = [];
    const failing = {
      ...store,
      async open(sessionId: string) {
        const log = await store.open(sessionId);
        return {
          ...log,
          append: (...args: Parameters<typeof log.append>) =>
            ++appends > 2 ? Promise.reject(new Error("disk full")) : log.append(...args),
        };
      },
    };
    const { agent, events } = await played([textReply("Hello.")], {
      store: failing,
      callbacks: { onAssistantContentUpdated: (chunk) => void shown.push(chunk) },
    });
    await expect(agent.sendMessage("hi")).rejects.toThrow(/could not be stored: disk full/);
    expect(events.some(({ type }) => type === "run.closed")).toBe(false);
    expect(shown.join("")).toBe(
      events
        .map((event) => (event.type === "text.delta" ? event.text : ""))
        .join("")
        .replace("hi", ""),
    );
  });
});
