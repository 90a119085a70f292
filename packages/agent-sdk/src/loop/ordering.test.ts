/** When a call starts: after its start is stored, and an exclusive one after all before it. */
import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { RunEvent } from "@callboard/run-log";
import { afterEach, expect, it } from "vitest";
import { z } from "zod";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate } from "../testing/gate.js";
import { finish, modelOf, text } from "../testing/modelParts.js";
import { openai } from "../testing/providerFrames.js";
import { defineTool } from "../tools/defineTool.js";
import type { SessionStore } from "../types/sessions.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const noInput = z.object({});

it("no tool starts before its start is stored", async () => {
  const memory = createMemorySessionStore({ clock: systemClock });
  const isReached = createGate();
  const isStored = createGate();
  const store: SessionStore = {
    ...memory,
    async open(sessionId, opening) {
      const log = await memory.open(sessionId, opening);
      const isStart = ({ type }: RunEvent): boolean => type === "call.run.started";
      return {
        ...log,
        async append(runId, expectedSeq, events) {
          if (events.some(isStart)) {
            isReached.open();
            await isStored.opened;
          }
          return log.append(runId, expectedSeq, events);
        },
      };
    },
  };
  let runs = 0;
  const tool = defineTool({
    ...{ name: "act", description: "acts", kind: "other", input: noInput },
    run: () => `${++runs}`,
  });
  stage = await setAgentStage([callsReply(["act", {}]), textReply("ok")], { store, tools: [tool] });
  const sent = stage.agent.sendMessage("go");
  await isReached.opened;
  // Everything that waits for nothing but a promise has its turn.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
  expect(runs).toBe(0);
  isStored.open();
  expect(await sent).toMatchObject({ outcome: "ok" });
  expect(runs).toBe(1);
});

it("a call is stored in three batches: its opening, its arguments with its start, its end", async () => {
  const memory = createMemorySessionStore({ clock: systemClock });
  const opened = createGate();
  const spoken = createGate();
  const batches: string[] = [];
  const store: SessionStore = {
    ...memory,
    async open(sessionId, opening) {
      const log = await memory.open(sessionId, opening);
      return {
        ...log,
        async append(runId, expectedSeq, events) {
          batches.push(events.map(({ type }) => type).join(" "));
          const appended = await log.append(runId, expectedSeq, events);
          if (events.some(({ type }) => type === "call.opened")) opened.open();
          if (events.some((event) => event.type === "text.delta" && event.text === "do")) {
            spoken.open();
          }
          return appended;
        },
      };
    },
  };
  const nextRead = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  async function* calling(): AsyncGenerator<LanguageModelV3StreamPart> {
    yield { type: "tool-input-start", id: "c", toolName: "act" };
    await opened.opened;
    await nextRead();
    yield { type: "tool-input-delta", id: "c", delta: "{}" };
    yield { type: "tool-input-end", id: "c" };
    yield { type: "tool-call", toolCallId: "c", toolName: "act", input: "{}" };
    yield finish();
  }
  async function* answering(): AsyncGenerator<LanguageModelV3StreamPart> {
    yield text("do");
    await spoken.opened;
    await nextRead();
    yield text("ne");
    yield finish("stop");
  }
  const answers = [calling(), answering()];
  const model = {
    ...modelOf(Promise.resolve([])),
    doStream: async () => ({ stream: ReadableStream.from(answers.shift() ?? []) }),
  };
  const tool = defineTool({
    ...{ name: "act", description: "acts", kind: "other", input: noInput },
    run: () => "acted",
  });
  stage = await setAgentStage([], { model, store, tools: [tool] });
  expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "done" });
  expect(batches).toEqual([
    "run.started message.opened text.delta text.closed message.closed",
    "message.opened call.opened",
    "call.input.delta call.input.closed message.closed call.run.started",
    "call.closed",
    "message.opened text.delta",
    "text.delta text.closed message.closed",
    "run.closed",
  ]);
});

it("an exclusive call waits for the safe ones before it, and those after it wait for it", async () => {
  const told: string[] = [];
  const gates = { slow: createGate(), alone: createGate() };
  const begun = createGate();
  const slow = defineTool({
    ...{ name: "slow", description: "waits", kind: "read", concurrency: "safe", input: noInput },
    async run() {
      told.push("slow begins");
      begun.open();
      await gates.slow.opened;
      told.push("slow ends");
      return "";
    },
  });
  const alone = defineTool({
    ...{ name: "alone", description: "alone", kind: "read", concurrency: "exclusive" },
    input: noInput,
    async run() {
      told.push("alone begins");
      await gates.alone.opened;
      told.push("alone ends");
      return "";
    },
  });
  const quick = defineTool({
    ...{ name: "quick", description: "quick", kind: "read", concurrency: "safe", input: noInput },
    run() {
      told.push("quick");
      return "";
    },
  });
  stage = await setAgentStage(
    [callsReply(["slow", {}], ["quick", {}], ["alone", {}], ["quick", {}]), textReply("ok")],
    { tools: [slow, alone, quick] },
  );
  const sent = stage.agent.sendMessage("go");
  await begun.opened;
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
  };
  await settle();
  expect(told).toEqual(["slow begins", "quick"]);
  gates.slow.open();
  await settle();
  expect(told).toEqual(["slow begins", "quick", "slow ends", "alone begins"]);
  gates.alone.open();
  await sent;
  expect(told.slice(4)).toEqual(["alone ends", "quick"]);
});

it.each([
  ["its connection is cut", { cut: true } as const],
  ["it asks for patience", openai.error({ code: 429, message: "slow down" })],
])("a request whose answer has begun is not tried again when %s", async (_, end) => {
  stage = await setAgentStage([{ steps: [openai.text("Half"), end] }, textReply("Whole.")], {
    limits: { modelRetries: 3 },
  });
  const { agent, server, events } = stage;
  expect(await agent.sendMessage("go")).toMatchObject({ outcome: "error" });
  expect(server.requests).toHaveLength(1);
  expect(events.flatMap((event) => (event.type === "text.closed" ? [event.text] : []))).toEqual([
    "go",
    "Half",
  ]);
});
