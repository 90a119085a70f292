/** Messages sent while a run is under way: where they wait, who reads them, and that none is lost. */
import type { RunEvent } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
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
import type { WaitingMessage } from "./messageQueue.js";

const stages: AgentStage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

async function played(replies: readonly Reply[], options: AgentOptions = {}): Promise<AgentStage> {
  const stage = await setAgentStage(replies, options);
  stages.push(stage);
  return stage;
}

/** An answer that stays open until its gate opens. */
const heldReply = (text: string, opened: Promise<unknown>): Reply => ({
  steps: [openai.text(text), { until: opened }, openai.finish("stop")],
});

const gatedTool = (gate: ReturnType<typeof createGate>, started?: () => void) =>
  defineTool({
    name: "work",
    description: "works until it is let go",
    kind: "read",
    input: z.object({}),
    async run() {
      started?.();
      await gate.opened;
      return "worked";
    },
  });

/** What the logs say about messages: queued, edited, where they went, and what users said. */
function queueStory(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case "run.started":
        return [`run ${event.runId}`];
      case "message.queued":
      case "message.requeued":
        return [`${event.type} ${event.messageId} ${event.text} (${event.delivery})`];
      case "message.unqueued":
        return [
          `${event.type} ${event.messageId} ${event.outcome} ${event.carriedTo ?? ""}`.trim(),
        ];
      case "message.opened":
        return event.role === "user" ? [`user ${event.messageId}`] : [];
      case "run.closed":
        return [`closed ${event.outcome}`];
      default:
        return [];
    }
  });
}

const textsOf = (messages: readonly WaitingMessage[]) => messages.map(({ text }) => text);

const promptOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null && "messages" in body ? body.messages : undefined;

describe("a message sent during a run", () => {
  it("waits in the run's log, can be edited and taken back, and starts the next run", async () => {
    const gate = createGate();
    const told: (readonly string[])[] = [];
    const { agent, server, events, faults } = await played(
      [heldReply("one", gate.opened), textReply("two")],
      { callbacks: { onQueueChanged: (queue) => void told.push(queue.map(({ text }) => text)) } },
    );
    const one = agent.sendMessage("a", { runId: "r1", messageId: "m-a" });
    await server.untilRequests(1);
    const two = agent.sendMessage("b", { runId: "r2" });
    const three = agent.sendMessage("c", { runId: "r3" });
    expect(textsOf(agent.queue)).toEqual(["b", "c"]);
    const [b, c] = agent.queue.map(({ messageId }) => messageId);
    expect(agent.editQueued(b ?? "", { text: "b, better" })).toBe(true);
    expect(agent.removeQueued(c ?? "")).toBe(true);
    expect(agent.removeQueued(c ?? "")).toBe(false);
    expect(agent.editQueued("unknown", { text: "x" })).toBe(false);
    gate.open();
    expect(await one).toMatchObject({ runId: "r1", outcome: "ok", text: "one" });
    expect(await two).toMatchObject({ runId: "r2", outcome: "ok", text: "two" });
    expect(await three).toMatchObject({
      runId: "r3",
      outcome: "cancelled",
      reason: "the message was taken back",
    });
    expect(promptOf(server.requests[1]?.body)).toEqual([
      { role: "user", content: "a" },
      { role: "assistant", content: "one" },
      { role: "user", content: "b, better" },
    ]);
    expect(await faults()).toEqual([]);
    expect(queueStory(events)).toEqual([
      "run r1",
      "user m-a",
      `message.queued ${b} b (run)`,
      `message.queued ${c} c (run)`,
      `message.requeued ${b} b, better (run)`,
      `message.unqueued ${c} removed`,
      `message.unqueued ${b} carried r2`,
      "closed ok",
      "run r2",
      `user ${b}`,
      "closed ok",
    ]);
    expect(told).toEqual([["b"], ["b", "c"], ["b, better", "c"], ["b, better"], []]);
    expect(agent.queue).toEqual([]);
    expect(agent.isBusy).toBe(false);
  });

  it("waits on in the next run where two of them wait, also behind a command", async () => {
    const gate = createGate();
    const { agent, server, events, faults } = await played(
      [heldReply("one", gate.opened), textReply("two"), textReply("three")],
      { tools: [gatedTool(gate)] },
    );
    const sent = [agent.sendMessage("a", { runId: "r1", messageId: "m-a" })];
    await server.untilRequests(1);
    const tool = agent.runTool("work", {}, { runId: "r-tool" });
    sent.push(
      agent.sendMessage("b", { runId: "r2", messageId: "m-b" }),
      agent.sendMessage("c", { runId: "r3", messageId: "m-c" }),
    );
    gate.open();
    await tool;
    const results = await Promise.all(sent);
    expect(results.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    expect(await faults()).toEqual([]);
    const [b, c] = ["m-b", "m-c"];
    expect(queueStory(events)).toEqual([
      "run r1",
      "user m-a",
      `message.queued ${b} b (run)`,
      `message.queued ${c} c (run)`,
      `message.unqueued ${b} carried r-tool`,
      `message.unqueued ${c} carried r-tool`,
      "closed ok",
      "run r-tool",
      expect.stringMatching(/^user /),
      `message.queued ${b} b (run)`,
      `message.queued ${c} c (run)`,
      `message.unqueued ${b} carried r2`,
      `message.unqueued ${c} carried r2`,
      "closed ok",
      "run r2",
      `user ${b}`,
      `message.queued ${c} c (run)`,
      `message.unqueued ${c} carried r3`,
      "closed ok",
      "run r3",
      `user ${c}`,
      "closed ok",
    ]);
  });

  it("is taken out of the queue at once when its signal aborts, and starts no run", async () => {
    const gate = createGate();
    const { agent, server, events } = await played([heldReply("one", gate.opened)]);
    const one = agent.sendMessage("a", { runId: "r1" });
    await server.untilRequests(1);
    const abort = new AbortController();
    const two = agent.sendMessage("b", { signal: abort.signal });
    abort.abort("not needed");
    expect(agent.queue).toEqual([]);
    gate.open();
    await one;
    expect(await two).toMatchObject({ outcome: "cancelled", reason: "not needed" });
    expect(events.filter(({ type }) => type === "run.started").length).toBe(1);
  });

  it("starts the run that the log names, and ends it, when its signal aborts between two runs", async () => {
    const gate = createGate();
    const abort = new AbortController();
    let closed = 0;
    const { agent, events, faults } = await played([heldReply("One.", gate.opened)], {
      callbacks: {
        onRunClosed: () => {
          closed += 1;
          if (closed === 1) abort.abort("no longer needed");
        },
      },
    });
    const first = agent.sendMessage("one", { runId: "run-1" });
    const second = agent.sendMessage("two", { runId: "run-2", signal: abort.signal });
    gate.open();
    await first;
    expect(await second).toMatchObject({ runId: "run-2", outcome: "cancelled" });
    expect(await faults()).toEqual([]);
    const story = queueStory(events);
    expect(story.filter((line) => /^(run|closed)|unqueued/.test(line))).toEqual([
      "run run-1",
      expect.stringMatching(/^message\.unqueued .* carried run-2$/),
      "closed ok",
      "run run-2",
      "closed cancelled",
    ]);
  });

  it("is returned, and starts no run, when the agent is destroyed", async () => {
    const gate = createGate();
    const { agent, server, events, faults } = await played([heldReply("one", gate.opened)]);
    const one = agent.sendMessage("a", { runId: "r1" });
    await server.untilRequests(1);
    const two = agent.sendMessage("b");
    const [b] = agent.queue.map(({ messageId }) => messageId);
    await agent.destroy("the program was closed");
    expect(await one).toMatchObject({ outcome: "cancelled", reason: "the program was closed" });
    expect(await two).toMatchObject({ outcome: "cancelled", reason: "the program was closed" });
    expect(await faults()).toEqual([]);
    expect(queueStory(events).slice(-2)).toEqual([
      `message.unqueued ${b} returned`,
      "closed cancelled",
    ]);
  });

  it("is told that its run could not be stored, waits no more, and the next one runs", async () => {
    const gate = createGate();
    const memory = createMemorySessionStore({ clock: systemClock });
    const isRefused = (event: RunEvent) => event.type === "run.started" && event.runId === "r2";
    const { agent, server, events } = await played(
      [heldReply("one", gate.opened), textReply("three")],
      { store: dyingStore(memory, isRefused) },
    );
    const one = agent.sendMessage("a", { runId: "r1", messageId: "m-a" });
    await server.untilRequests(1);
    const named = (name: string) => ({ runId: name, messageId: `m-${name}` });
    const two = agent.sendMessage("b", named("r2"));
    const three = agent.sendMessage("c", named("r3"));
    const refused = expect(two).rejects.toThrow("the process is gone");
    gate.open();
    expect(await one).toMatchObject({ outcome: "ok" });
    await refused;
    expect(await three).toMatchObject({ runId: "r3", outcome: "ok", text: "three" });
    expect(agent.queue).toEqual([]);
    expect(agent.isBusy).toBe(false);
    expect(queueStory(events)).toEqual([
      "run r1",
      "user m-a",
      "message.queued m-r2 b (run)",
      "message.queued m-r3 c (run)",
      "message.unqueued m-r2 carried r2",
      "message.unqueued m-r3 carried r2",
      "closed ok",
      "run r3",
      "user m-r3",
      "closed ok",
    ]);
  });

  it("still runs when the run before it is cancelled", async () => {
    const { agent, server } = await played([
      heldReply("one", new Promise(() => undefined)),
      textReply("two"),
    ]);
    const one = agent.sendMessage("a");
    await server.untilRequests(1);
    const two = agent.sendMessage("b");
    agent.abortMessage("enough");
    expect(await one).toMatchObject({ outcome: "cancelled" });
    expect(await two).toMatchObject({ outcome: "ok", text: "two" });
  });
});

describe("steering", () => {
  it("while a call runs is read before the next answer, in the same run", async () => {
    const gate = createGate();
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const { agent, server, faults, events } = await played(
      [callsReply(["work", {}]), textReply("done")],
      { tools: [gatedTool(gate, started)] },
    );
    const run = agent.sendMessage("go", { runId: "r1" });
    await running;
    const steered = agent.steer("only the parser");
    expect(textsOf(agent.queue)).toEqual(["only the parser"]);
    gate.open();
    expect(await steered).toMatchObject({ runId: "r1", outcome: "ok", text: "done" });
    expect(await run).toEqual(await steered);
    expect(promptOf(server.requests[1]?.body)).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", tool_calls: [{ id: "call_0" }] },
      { role: "tool", content: "worked" },
      { role: "user", content: "only the parser" },
    ]);
    expect(server.requests.length).toBe(2);
    expect(await faults()).toEqual([]);
    expect(events.filter(({ type }) => type === "run.started").length).toBe(1);
  });

  it("while an approval waits is read after the answer to it", async () => {
    const { agent, server, faults } = await played([callsReply(["write", {}]), textReply("done")], {
      tools: [
        defineTool({
          name: "write",
          description: "writes",
          kind: "edit",
          input: z.object({}),
          needsApproval: true,
          run: () => "wrote",
        }),
      ],
    });
    let asked: (id: string) => void = () => undefined;
    const question = new Promise<string>((resolve) => {
      asked = resolve;
    });
    agent.onApprovalRequested = ({ approvalId }) => asked(approvalId);
    const run = agent.sendMessage("go");
    const approvalId = await question;
    const steered = agent.steer("and be quick");
    expect(agent.pendingApprovals.length).toBe(1);
    await agent.answerApproval(approvalId, { optionId: "allow_once" });
    expect(await run).toEqual(await steered);
    expect(promptOf(server.requests[1]?.body)).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "tool", content: "wrote" },
      { role: "user", content: "and be quick" },
    ]);
    expect(await faults()).toEqual([]);
  });

  it("during the last answer makes the model answer once more", async () => {
    const gate = createGate();
    const { agent, server } = await played([heldReply("one", gate.opened), textReply("two")]);
    const run = agent.sendMessage("a", { runId: "r1" });
    await server.untilRequests(1);
    const steered = agent.steer("b");
    gate.open();
    expect(await steered).toMatchObject({ runId: "r1", text: "two" });
    expect(await run).toMatchObject({ runId: "r1", text: "two" });
  });

  it("at the very end of the run is not lost: it starts the next run", async () => {
    const { agent, server } = await played([textReply("one"), textReply("two")]);
    let steered: Promise<unknown> | undefined;
    // Told when the closing is stored: the run takes nothing more.
    agent.onRunClosed = () => {
      steered ??= agent.steer("b", { runId: "r2" });
    };
    await agent.sendMessage("a", { runId: "r1" });
    expect(await steered).toMatchObject({ runId: "r2", outcome: "ok", text: "two" });
    expect(promptOf(server.requests[1]?.body)).toMatchObject([
      { role: "user", content: "a" },
      { role: "assistant", content: "one" },
      { role: "user", content: "b" },
    ]);
  });

  it("where nothing runs starts a run", async () => {
    const { agent } = await played([textReply("one")]);
    expect(await agent.steer("a", { runId: "r1" })).toMatchObject({ runId: "r1", text: "one" });
  });

  it("resolves with the run that read it, before the messages that still wait", async () => {
    const gate = createGate();
    const later = createGate();
    const { agent, server } = await played([
      heldReply("one", gate.opened),
      textReply("two"),
      heldReply("three", later.opened),
    ]);
    const run = agent.sendMessage("a", { runId: "r1" });
    await server.untilRequests(1);
    const waits = agent.sendMessage("c", { runId: "r2" });
    const steered = agent.steer("b");
    gate.open();
    expect(await steered).toEqual(await run);
    later.open();
    expect(await waits).toMatchObject({ runId: "r2", text: "three" });
  });

  it("counts as a turn: a model that may not answer again leaves it to the next run", async () => {
    const gate = createGate();
    const { agent, server } = await played([heldReply("one", gate.opened), textReply("two")], {
      limits: { maxTurns: 1 },
    });
    const run = agent.sendMessage("a", { runId: "r1" });
    await server.untilRequests(1);
    const steered = agent.steer("b", { runId: "r2" });
    gate.open();
    expect(await run).toMatchObject({ runId: "r1", outcome: "limit" });
    expect(await steered).toMatchObject({ runId: "r2", outcome: "ok", text: "two" });
  });
});

describe("messages that waited when their process died", () => {
  async function killed(): Promise<SessionStore> {
    const store = createMemorySessionStore({ clock: systemClock });
    const dying = dyingStore(store, ({ type }) => type === "message.closed" && isArmed);
    let isArmed = false;
    const gate = createGate();
    const { agent, server } = await played([heldReply("one", gate.opened)], {
      store: dying,
      sessionId: "s1",
    });
    const one = agent.sendMessage("a", { runId: "r1" });
    await server.untilRequests(1);
    const two = agent.sendMessage("b", { runId: "r2" }).catch(() => "lost");
    isArmed = true;
    gate.open();
    await expect(one).rejects.toThrow("the process is gone");
    await two;
    await agent.destroy();
    return store;
  }

  it("are returned in the log of the run that is closed as interrupted", async () => {
    const store = await killed();
    const { agent, events, faults } = await played([], { store, sessionId: "s1" });
    expect(agent.queue).toEqual([]);
    expect(await faults()).toEqual([]);
    expect(queueStory(events).slice(-2)).toEqual([
      expect.stringMatching(/^message.unqueued .* returned$/),
      "closed interrupted",
    ]);
  });

  it("still wait in a run that continues, and start the next run after it", async () => {
    const store = await killed();
    const { agent, faults, server } = await played([textReply("again"), textReply("two")], {
      store,
      sessionId: "s1",
      keepRunsOpen: true,
    });
    const over = new Promise<void>((resolve) => {
      let runs = 0;
      agent.onRunClosed = () => {
        runs += 1;
        if (runs === 2) resolve();
      };
    });
    expect(await agent.continueRun("r1")).toMatchObject({ runId: "r1", text: "again" });
    await over;
    expect(JSON.stringify(promptOf(server.requests[1]?.body))).toContain('"content":"b"');
    expect(await faults()).toEqual([]);
    expect(agent.queue).toEqual([]);
  });
});

describe("a queue that somebody else runs", () => {
  it("is named its next run, and taken up by the next agent", async () => {
    const gate = createGate();
    const store = createMemorySessionStore({ clock: systemClock });
    const left: (readonly WaitingMessage[])[] = [];
    const { agent, server } = await played([heldReply("one", gate.opened)], {
      store,
      sessionId: "s1",
      nextRunOf(waiting) {
        left.push(waiting);
        return "r2";
      },
    });
    const message = { messageId: "m-b", text: "b", delivery: "run", sentBy: "ada" } as const;
    expect(agent.queueMessage(message)).toBe(false);
    const one = agent.sendMessage("a", { runId: "r1", messageId: "m-a" });
    await server.untilRequests(1);
    const other = { messageId: "m-c", text: "c", delivery: "step" } as const;
    expect(agent.queueMessage(message)).toBe(true);
    expect(agent.queueMessage(message)).toBe(false);
    gate.open();
    await one;
    expect(left).toEqual([[message]]);
    await agent.destroy();
    const next = await played([textReply("two")], {
      store,
      sessionId: "s1",
      queue: [other],
      nextRunOf: () => undefined,
    });
    await next.agent.sendMessage("b", { runId: "r2", messageId: "m-b" });
    expect(await next.faults()).toEqual([]);
    expect(queueStory(next.events)).toEqual([
      "run r1",
      "user m-a",
      "message.queued m-b b (run)",
      "message.unqueued m-b carried r2",
      "closed ok",
      "run r2",
      "user m-b",
      "message.queued m-c c (step)",
      "message.unqueued m-c delivered",
      "user m-c",
      "closed ok",
    ]);
  });
});
