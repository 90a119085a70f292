/** Policy in code: who is asked, what the answers do, and that the log says who decided. */
import type { RunEvent } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { createFakeClock } from "../system/fakeClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate } from "../testing/gate.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { Hook } from "../types/hooks.js";
import type { ToolDefinition } from "../types/tools.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) {
    expect(await stage.faults()).toEqual([]);
    await stage.close();
  }
});

async function played(replies: readonly Reply[], options: AgentOptions): Promise<AgentStage> {
  const stage = await setAgentStage(replies, { sessionId: "s1", workdir: "/", ...options });
  stages.push(stage);
  return stage;
}

function counted(kind: "read" | "execute" = "read"): {
  readonly tool: ToolDefinition;
  readonly runs: string[];
} {
  const runs: string[] = [];
  const tool = defineTool({
    name: "pay",
    description: "pays",
    kind,
    input: z.object({ to: z.string() }),
    approvalTarget: ({ to }) => String(to),
    run({ to }) {
      runs.push(to);
      return `paid ${to}`;
    },
  });
  return { tool, runs };
}

const pay = callsReply(["pay", { to: "ada" }]);

/** The answers of hooks, the questions and the ends, in their order. */
async function toldIn(stage: AgentStage): Promise<readonly unknown[]> {
  await new Promise((resolve) => setImmediate(resolve));
  return stage.events.flatMap((event: RunEvent): unknown[] => {
    switch (event.type) {
      case "hook.answered": {
        const { v: _, runId: __, seq: ___, at: ____, type: _____, ...answer } = event;
        return [answer];
      }
      case "call.approval.asked":
        return [`asked: ${event.reason}`];
      case "call.run.started":
        return ["started"];
      case "call.closed":
        return [event.outcome === "ok" ? "ok" : `${event.outcome}: ${event.message}`];
      default:
        return [];
    }
  });
}

describe("before a call", () => {
  it("the first hook that denies it ends it, and the model is told why", async () => {
    const { tool, runs } = counted();
    const asked: string[] = [];
    const hooks: readonly Hook[] = [
      {
        name: "silent",
        beforeCall: ({ effectKey }) => void asked.push(`silent ${effectKey.length}`),
      },
      { name: "friend", beforeCall: () => ({ decision: "allow", context: "Ada is a friend." }) },
      { name: "guard", beforeCall: async () => ({ decision: "deny", reason: "no payments" }) },
      { name: "late", beforeCall: () => void asked.push("late") },
    ];
    const stage = await played([pay, textReply("Not paid.")], { tools: [tool], hooks });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(runs).toEqual([]);
    expect(asked).toEqual(["silent 32"]);
    const about = { moment: "beforeCall", aboutCallId: "call_0" };
    expect(await toldIn(stage)).toEqual([
      { hook: "friend", ...about, decision: "allow", context: "Ada is a friend." },
      { hook: "guard", ...about, decision: "deny", reason: "no payments" },
      "denied: The hook guard denied this call: no payments",
    ]);
    expect(stage.server.requests[1]?.body).toMatchObject({
      messages: [
        { role: "user", content: "go" },
        { role: "assistant", tool_calls: [{ id: "call_0" }] },
        { role: "tool", content: "The hook guard denied this call: no payments" },
        { role: "user", content: "[The hook friend adds:]\nAda is a friend." },
      ],
    });
  });

  it("a hook is asked about a call that is stored", async () => {
    const { tool } = counted();
    const store = createMemorySessionStore({ clock: createFakeClock() });
    const stored: string[] = [];
    const opening: typeof store.open = async (...given) => {
      const log = await store.open(...given);
      const append: typeof log.append = async (runId, expectedSeq, events) => {
        for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
        const appended = await log.append(runId, expectedSeq, events);
        stored.push(...events.map(({ type }) => type));
        return appended;
      };
      return { ...log, append };
    };
    const known: string[][] = [];
    const beforeCall = (): void => void known.push(stored.slice(-3));
    const hooks: readonly Hook[] = [{ name: "witness", beforeCall }];
    const options = { tools: [tool], hooks, store: { ...store, open: opening } };
    const stage = await played([pay, textReply("Paid.")], options);
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(known).toEqual([["call.input.delta", "call.input.closed", "message.closed"]]);
  });

  it("`allow` asks nobody, but rules that deny hold", async () => {
    const { tool, runs } = counted("execute");
    const hooks: readonly Hook[] = [{ name: "friend", beforeCall: () => ({ decision: "allow" }) }];
    const both = callsReply(["pay", { to: "ada" }], ["pay", { to: "eve" }]);
    const stage = await played([both, textReply("Paid.")], {
      tools: [tool],
      hooks,
      approval: { deny: ["pay(eve)"] },
    });
    await stage.agent.sendMessage("go");
    expect(runs).toEqual(["ada"]);
    const told = await toldIn(stage);
    expect(told.filter((one) => typeof one === "string")).toEqual([
      "started",
      "ok",
      "denied: The rule pay(eve) does not allow this call.",
    ]);
  });

  it("`ask` asks a person, whatever a rule or another hook allows", async () => {
    const { tool, runs } = counted();
    const hooks: readonly Hook[] = [
      { name: "careful", beforeCall: () => ({ decision: "ask", reason: "a lot of money" }) },
      { name: "friend", beforeCall: () => ({ decision: "allow" }) },
    ];
    const asked = createGate();
    const stage = await played([pay, textReply("Paid.")], {
      tools: [tool],
      hooks,
      approval: { allow: ["pay"] },
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = stage.agent.sendMessage("go");
    await asked.opened;
    expect(runs).toEqual([]);
    const [pending] = stage.agent.pendingApprovals;
    await stage.agent.answerApproval(pending?.approvalId ?? "", { optionId: "allow_once" });
    await sent;
    expect(runs).toEqual(["ada"]);
    expect((await toldIn(stage)).slice(2)).toEqual([
      "asked: pay: ada (a lot of money)",
      "started",
      "ok",
    ]);
  });

  it("is asked about calls of nested agents, and only about its tools", async () => {
    const { tool, runs } = counted();
    const seen: string[] = [];
    const hook: Hook = {
      name: "guard",
      tools: ["p*"],
      beforeCall({ toolName, parentCallId }) {
        seen.push(`${toolName} for ${parentCallId}`);
        return { decision: "deny", context: "Pay nobody." };
      },
    };
    const delegated = callsReply(["delegate", { task: "pay ada" }]);
    const replies = [delegated, pay, textReply("Could not."), textReply("Sorry.")];
    const stage = await played(replies, { tools: [tool], hooks: [hook] });
    await stage.agent.sendMessage("go");
    expect({ seen, runs }).toEqual({ seen: ["pay for call_0"], runs: [] });
    const [, , inner, outer] = stage.server.requests.map(({ body }) => JSON.stringify(body));
    expect([inner?.includes("Pay nobody."), outer?.includes("Pay nobody.")]).toEqual([true, false]);
  });

  it("is asked about what the person runs, who is not asked again", async () => {
    const { tool, runs } = counted();
    const hook: Hook = {
      name: "guard",
      beforeCall: ({ openedBy, input }) =>
        openedBy === "user" && JSON.stringify(input).includes("eve")
          ? { decision: "deny" }
          : { decision: "ask" },
    };
    const stage = await played([], { tools: [tool], hooks: [hook] });
    expect(await stage.agent.runTool("pay", { to: "ada" })).toMatchObject({ outcome: "ok" });
    expect(await stage.agent.runTool("pay", { to: "eve" })).toMatchObject({
      outcome: "denied",
      message: "The hook guard denied this call.",
    });
    expect(runs).toEqual(["ada"]);
  });

  it("may change the arguments, which the next hook judges, a person is asked about and the call runs with", async () => {
    const { tool, runs } = counted("execute");
    const seen: unknown[] = [];
    const hooks: readonly Hook[] = [
      { name: "alias", beforeCall: () => ({ input: { to: "ada lovelace" } }) },
      {
        name: "polite",
        beforeCall({ input }) {
          seen.push(input);
          return { input: { to: "Ms Lovelace" }, decision: "ask" };
        },
      },
      { name: "same", beforeCall: () => ({ input: { to: "Ms Lovelace" } }) },
    ];
    const asked = createGate();
    const stage = await played([pay, textReply("Paid.")], {
      tools: [tool],
      hooks,
      callbacks: { onApprovalRequested: () => asked.open() },
    });
    const sent = stage.agent.sendMessage("go");
    await asked.opened;
    const [pending] = stage.agent.pendingApprovals;
    await stage.agent.answerApproval(pending?.approvalId ?? "", { optionId: "allow_once" });
    await sent;
    expect({ seen, runs }).toEqual({ seen: [{ to: "ada lovelace" }], runs: ["Ms Lovelace"] });
    expect(await toldIn(stage)).toEqual([
      { hook: "polite", moment: "beforeCall", aboutCallId: "call_0", decision: "ask" },
      "asked: pay: Ms Lovelace",
      "started",
      "ok",
    ]);
    const amended = stage.events.find(({ type }) => type === "call.input.amended");
    expect(amended).toMatchObject({ input: { to: "Ms Lovelace" }, amendedBy: "alias, polite" });
  });

  it("arguments of a hook that do not fit are not run, nor are the model's", async () => {
    const { tool, runs } = counted();
    const hooks: readonly Hook[] = [{ name: "odd", beforeCall: () => ({ input: { to: 7 } }) }];
    const stage = await played([pay, textReply("No.")], { tools: [tool], hooks });
    await stage.agent.sendMessage("go");
    expect(runs).toEqual([]);
    expect((await toldIn(stage)).at(-1)).toMatch(
      /^denied: The hook odd changed the arguments, and they cannot be used: .*to/s,
    );
  });

  const broken: readonly (readonly [string, Hook["beforeCall"], string])[] = [
    [
      "throws",
      () => {
        throw new Error("no database");
      },
      "no database",
    ],
    ["rejects", () => Promise.reject(new Error("no network")), "no network"],
    [
      "answers what does not fit",
      () => JSON.parse('{"decision":"maybe"}'),
      'its answer does not fit: ✖ Invalid option: expected one of "allow"|"deny"|"ask"\n  → at decision',
    ],
  ];

  it.each(broken)("a hook that %s lets nothing through", async (_, beforeCall, problem) => {
    const { tool, runs } = counted();
    const hooks: readonly Hook[] = [{ name: "guard", ...(beforeCall && { beforeCall }) }];
    const stage = await played([pay, textReply("No.")], { tools: [tool], hooks });
    await stage.agent.sendMessage("go");
    expect(runs).toEqual([]);
    expect(await toldIn(stage)).toEqual([
      { hook: "guard", moment: "beforeCall", aboutCallId: "call_0", decision: "deny", problem },
      `denied: The hook guard failed (${problem}), so the call was not let through.`,
    ]);
  });

  it("a hook that gives no answer in time lets nothing through, and is told to stop", async () => {
    const clock = createFakeClock();
    const { tool, runs } = counted();
    let heard: AbortSignal | undefined;
    const hook: Hook = {
      name: "slow",
      timeoutMs: 5_000,
      beforeCall(_, { signal }) {
        heard = signal;
        return new Promise<undefined>(() => undefined);
      },
    };
    const stage = await played([pay, textReply("No.")], {
      tools: [tool],
      hooks: [hook],
      clock,
      store: createMemorySessionStore({ clock }),
    });
    const sent = stage.agent.sendMessage("go");
    await clock.untilAsleep(5_000);
    await clock.advance(5_000);
    await sent;
    expect(runs).toEqual([]);
    expect(heard?.aborted).toBe(true);
    expect((await toldIn(stage)).at(-1)).toBe(
      "denied: The hook slow failed (it gave no answer within 5 s), so the call was not let through.",
    );
  });

  it("a call that is cancelled while it is judged never runs", async () => {
    const { tool, runs } = counted();
    const judging = createGate();
    const hook: Hook = {
      name: "slow",
      beforeCall() {
        judging.open();
        return new Promise<undefined>(() => undefined);
      },
    };
    const stage = await played([pay, textReply("Stopped.")], { tools: [tool], hooks: [hook] });
    const sent = stage.agent.sendMessage("go");
    await judging.opened;
    stage.agent.cancelCall("call_0", "not now");
    await sent;
    expect({ runs, told: await toldIn(stage) }).toEqual({ runs: [], told: ["cancelled: not now"] });
  });
});

describe("after a call", () => {
  it("a hook is told how it ended, once that is stored, and may only add words", async () => {
    const { tool } = counted();
    const ends: unknown[] = [];
    const audit: Hook = {
      name: "audit",
      afterCall({ callId, outcome, output, message, input, ranMs }) {
        // Nothing is told before it is stored.
        const stored = stage.stages.some((one) => one.id === callId && one.stage === "end");
        ends.push({ callId, outcome, output, message, input, stored, ran: ranMs >= 0 });
        return outcome === "ok" ? { context: "It is in the books." } : undefined;
      },
    };
    const bad: Hook = { name: "bad", afterCall: () => JSON.parse('{"decision":"deny"}') };
    const guard: Hook = {
      name: "guard",
      beforeCall: ({ input }) =>
        JSON.stringify(input).includes("eve") ? { decision: "deny" } : undefined,
    };
    const both = callsReply(["pay", { to: "ada" }], ["pay", { to: "eve" }]);
    const replies = [both, textReply("Done."), textReply("Again.")];
    const stage = await played(replies, { tools: [tool], hooks: [guard] });
    const result = await stage.agent.sendMessage("go", { hooks: [audit, bad] });
    expect(result).toMatchObject({ outcome: "ok" });
    const common = { stored: true, ran: true };
    const denied = "The hook guard denied this call.";
    expect(ends).toEqual([
      { ...common, callId: "call_0", outcome: "ok", output: "paid ada", input: { to: "ada" } },
      { ...common, callId: "call_1", outcome: "denied", message: denied, input: { to: "eve" } },
    ]);
    const problem = 'its answer does not fit: ✖ Unrecognized key: "decision"';
    const about = { moment: "afterCall", aboutCallId: "call_0" };
    expect(await toldIn(stage)).toEqual([
      "started",
      "ok",
      { hook: "audit", ...about, context: "It is in the books." },
      { hook: "bad", ...about, problem },
      { hook: "guard", moment: "beforeCall", aboutCallId: "call_1", decision: "deny" },
      `denied: ${denied}`,
      { hook: "bad", ...about, aboutCallId: "call_1", problem },
    ]);
    const messages = JSON.stringify(stage.server.requests[1]?.body);
    expect(messages.indexOf("It is in the books.")).toBeGreaterThan(messages.indexOf(denied));
    expect(stage.logged.filter((line) => line === "error: A hook failed.")).toHaveLength(2);
    // The next run has the hooks of the agent alone.
    await stage.agent.sendMessage("again");
    expect(ends).toHaveLength(2);
  });
});

describe("around a run", () => {
  it("hooks hear of the session, of each message and of the end", async () => {
    const told: unknown[] = [];
    const hook: Hook = {
      name: "house",
      sessionStart({ isNew, sessionId, runId }) {
        told.push(["session", isNew, sessionId, runId]);
        return { context: "Be brief." };
      },
      promptSubmit({ text, images }) {
        told.push(["prompt", text, images]);
        return { context: "It is Monday." };
      },
      runEnd: ({ runId, outcome, text }) => void told.push(["end", runId, outcome, text]),
    };
    const stage = await played([textReply("Yes."), textReply("No.")], { hooks: [hook] });
    await stage.agent.sendMessage("one", { runId: "run-1" });
    await stage.agent.sendMessage("two", { runId: "run-2" });
    expect(told).toEqual([
      ["session", true, "s1", "run-1"],
      ["prompt", "one", 0],
      ["end", "run-1", "ok", "Yes."],
      ["prompt", "two", 0],
      ["end", "run-2", "ok", "No."],
    ]);
    expect(stage.server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "user", content: "[The hook house adds:]\nBe brief." },
        { role: "user", content: "[The hook house adds:]\nIt is Monday." },
        { role: "user", content: "one" },
      ],
    });
  });

  it("a message that a hook denies is neither kept nor told, now or later", async () => {
    const ends: string[] = [];
    const hook: Hook = {
      name: "secrets",
      promptSubmit: ({ text }) =>
        text.includes("sk-") ? { decision: "deny", reason: "it holds a key" } : undefined,
      runEnd: ({ outcome }) => void ends.push(outcome),
    };
    const stage = await played([textReply("Yes.")], { hooks: [hook] });
    const reason = "The hook secrets denied this message: it holds a key";
    expect(await stage.agent.sendMessage("use sk-1")).toMatchObject({ outcome: "error", reason });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(ends).toEqual(["error", "ok"]);
    expect(stage.server.requests.map(({ body }) => JSON.stringify(body).includes("sk-1"))).toEqual([
      false,
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.stringify(stage.events)).not.toContain("sk-1");
    expect(stage.events.map(({ type }) => type).slice(0, 4)).toEqual([
      "run.started",
      "hook.answered",
      "error.reported",
      "run.closed",
    ]);
  });

  it("a message that a hook denies replaces nothing", async () => {
    const hook: Hook = {
      name: "polite",
      promptSubmit: ({ text }) => (text.includes("!") ? { decision: "deny" } : { context: "ok" }),
    };
    const stage = await played([textReply("One."), textReply("Two."), textReply("Three.")], {
      hooks: [hook],
    });
    await stage.agent.sendMessage("first", { runId: "run-1" });
    await stage.agent.sendMessage("hurry!", { runId: "run-2", replaces: "run-1" });
    await stage.agent.sendMessage("second", { runId: "run-3" });
    expect(JSON.stringify(stage.server.requests[1]?.body)).toContain('"first"');
    await stage.agent.sendMessage("third", { runId: "run-4", replaces: "run-1" });
    expect(JSON.stringify(stage.server.requests[2]?.body)).not.toContain('"first"');
    await new Promise((resolve) => setImmediate(resolve));
    const replaced = stage.events.flatMap((event) =>
      event.type === "run.started" ? [event.replaces ?? "nothing"] : [],
    );
    expect(replaced).toEqual(["nothing", "nothing", "nothing", "run-1"]);
    expect(await toldIn(stage)).toHaveLength(4);
  });

  it("a message that steers a run is judged before the model is told it", async () => {
    const { tool } = counted();
    const hook: Hook = {
      name: "calm",
      promptSubmit: ({ text }) => (text.includes("!") ? { decision: "deny" } : undefined),
      async beforeCall() {
        void stage.agent.steer("hurry!", { messageId: "m-loud" });
        void stage.agent.steer("take your time", { messageId: "m-calm" });
      },
    };
    const stage = await played([pay, textReply("Paid.")], { tools: [tool], hooks: [hook] });
    await stage.agent.sendMessage("go");
    const body = JSON.stringify(stage.server.requests[1]?.body);
    expect([body.includes("take your time"), body.includes("hurry!")]).toEqual([true, false]);
  });

  it("a hook that fails on a message lets it not through; elsewhere the run continues", async () => {
    const fails = (): never => {
      throw new Error("broken");
    };
    const lenient: Hook = { name: "greeter", sessionStart: fails, runEnd: fails };
    const stage = await played([textReply("Yes.")], { hooks: [lenient] });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    const strict: Hook = { name: "strict", promptSubmit: fails };
    expect(await stage.agent.sendMessage("go", { hooks: [strict] })).toMatchObject({
      outcome: "error",
      reason: "The hook strict failed (broken), so the message was not let through.",
    });
    expect(await toldIn(stage)).toEqual([
      { hook: "greeter", moment: "sessionStart", problem: "broken" },
      { hook: "strict", moment: "promptSubmit", decision: "deny", problem: "broken" },
    ]);
  });
});
