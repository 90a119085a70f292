/** The eleven ways in which calls lose their ends elsewhere. Here each call has one start and one end. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate } from "../testing/gate.js";
import { openai } from "../testing/providerFrames.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import type { ToolDefinition } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";

let stage: AgentStage;
afterEach(() => stage.close());

async function played(replies: readonly Reply[], options: AgentOptions = {}): Promise<AgentStage> {
  stage = await setAgentStage(replies, options);
  return stage;
}

const input = z.object({ value: z.string().optional() });
const echo = defineTool({
  name: "echo",
  description: "says it again",
  kind: "read",
  input,
  run: ({ value = "" }) => `echo ${value}`,
});
const broken = defineTool({
  name: "broken",
  description: "fails",
  kind: "read",
  input,
  run: () => {
    throw new ToolFailure("disk_full", "no space left", { suggestion: "Delete something." });
  },
});

/** A tool that waits until the test lets it continue, or until it is told to stop. */
function patient(options: { readonly obeys: boolean }) {
  const begun = createGate();
  const released = createGate();
  const tool: ToolDefinition = defineTool({
    name: "patient",
    description: "waits",
    kind: "read",
    input,
    async run(_, { signal }) {
      begun.open();
      const stopped = new Promise<void>((resolve) => {
        if (options.obeys) signal.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.race([released.opened, stopped]);
      if (signal.aborted) throw new Error("stopped");
      return "done";
    },
  });
  return { tool, begun: begun.opened, release: released.open };
}

const lastRequest = ({ server }: AgentStage) => server.requests.at(-1)?.body;

describe("one start, one true end", () => {
  it("A: the tool throws, and the model is told why", async () => {
    const { agent, lives, stages, faults } = await played(
      [callsReply(["broken", {}]), textReply("I see.")],
      { tools: [broken] },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "I see." });
    expect(lives()).toEqual({ call_0: "start streaming running end" });
    expect(stages.at(-1)).toMatchObject({
      success: false,
      error: "no space left Delete something.",
    });
    expect(lastRequest(stage)).toMatchObject({
      messages: [
        { role: "user" },
        { role: "assistant", tool_calls: [{ id: "call_0" }] },
        { role: "tool", tool_call_id: "call_0", content: expect.stringContaining("disk_full") },
      ],
    });
    expect(await faults()).toEqual([]);
  });

  it("B: aborted in the middle of the arguments", async () => {
    const reached = createGate();
    const steps = [
      openai.start(0, "call_0", "echo"),
      openai.input(0, '{"value":"ha'),
      { hang: true },
    ] as const;
    const { agent, lives, stages, faults } = await played([{ steps }], {
      tools: [echo],
      callbacks: {
        onToolBlockUpdated: ({ parametersChunk }) => {
          if (parametersChunk !== undefined) reached.open();
        },
      },
    });
    const sent = agent.sendMessage("go");
    await reached.opened;
    agent.abortMessage("enough");
    expect(await sent).toMatchObject({ outcome: "cancelled", reason: "enough" });
    expect(lives()).toEqual({ call_0: "start streaming end" });
    expect(stages.at(-1)).toMatchObject({ success: false, parameters: '{"value":"ha' });
    expect(await faults()).toEqual([]);
  });

  it("C: aborted while the tool runs", async () => {
    const { tool, begun } = patient({ obeys: true });
    const { agent, lives, faults } = await played([callsReply(["patient", {}])], { tools: [tool] });
    const sent = agent.sendMessage("go");
    await begun;
    agent.abortMessage("enough");
    expect(await sent).toMatchObject({ outcome: "cancelled" });
    expect(lives()).toEqual({ call_0: "start streaming running end" });
    expect(await faults()).toEqual([]);
  });

  it("C3: the tool ignores the abort and is left behind after the grace", async () => {
    const { tool, begun, release } = patient({ obeys: false });
    const { agent, lives, logged, faults } = await played([callsReply(["patient", {}])], {
      tools: [tool],
      limits: { graceMs: 5 },
    });
    const sent = agent.sendMessage("go");
    await begun;
    agent.abortMessage("enough");
    expect(await sent).toMatchObject({ outcome: "cancelled" });
    expect(lives()).toEqual({ call_0: "start streaming running end" });
    expect(logged).toContainEqual(
      expect.stringContaining("did not stop after its signal was aborted"),
    );
    release();
    expect(await faults()).toEqual([]);
  });

  it("D: the provider dies in the middle of the arguments", async () => {
    const steps = [
      openai.start(0, "call_0", "echo"),
      openai.input(0, '{"value":"ha'),
      { cut: true },
    ] as const;
    const { agent, lives, stages, faults } = await played([{ steps }], { tools: [echo] });
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "error" });
    expect(lives()).toEqual({ call_0: "start streaming end" });
    expect(stages.at(-1)).toMatchObject({ success: false });
    expect(await faults()).toEqual([]);
  });

  it("E: a callback throws, another rejects, and the run continues", async () => {
    const { agent, lives, logged, faults } = await played(
      [callsReply(["echo", { value: "x" }]), textReply("Fine.")],
      {
        tools: [echo],
        callbacks: {
          onToolBlockUpdated: () => {
            throw new Error("my bug");
          },
          onAssistantContentUpdated: () => Promise.reject(new Error("my other bug")),
        },
      },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Fine." });
    expect(lives()).toEqual({ call_0: "start streaming running end" });
    expect(logged).toContain("error: The callback onToolBlockUpdated failed; the run continues.");
    expect(logged).toContain(
      "error: The callback onAssistantContentUpdated failed; the run continues.",
    );
    expect(await faults()).toEqual([]);
  });

  it("F: there is no such tool", async () => {
    const { agent, lives, stages, faults } = await played(
      [callsReply(["nonsense", {}]), textReply("Sorry.")],
      { tools: [echo] },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    expect(lives()).toEqual({ call_0: "start streaming end" });
    expect(stages.at(-1)).toMatchObject({ success: false, error: expect.stringContaining("echo") });
    expect(await faults()).toEqual([]);
  });

  it("G: the arguments are no JSON, or not what the tool takes", async () => {
    const { agent, stages, faults } = await played(
      [callsReply(["echo", '{"value":'], ["echo", { value: 7 }]), textReply("Sorry.")],
      { tools: [echo] },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    const ends = stages.filter(({ stage: reached }) => reached === "end");
    expect(ends).toMatchObject([
      { id: "call_0", success: false, error: expect.stringContaining("could not be used") },
      { id: "call_1", success: false, error: expect.stringContaining("value") },
    ]);
    expect(await faults()).toEqual([]);
  });

  it("H: two calls run side by side, each with its own progress", async () => {
    const both = createGate();
    let running = 0;
    const tool = defineTool({
      name: "busy",
      description: "works",
      kind: "read",
      concurrency: "safe",
      input,
      async run({ value = "" }, context) {
        running += 1;
        if (running === 2) both.open();
        await both.opened;
        context.progress(`working on ${value}`);
        context.output(`${value}\n`);
        return `${value}\n`;
      },
    });
    const { agent, stages, faults } = await played(
      [callsReply(["busy", { value: "a" }], ["busy", { value: "b" }]), textReply("Both.")],
      { tools: [tool] },
    );
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Both." });
    for (const [id, value] of [
      ["call_0", "a"],
      ["call_1", "b"],
    ] as const) {
      const own = stages.filter((params) => params.id === id);
      expect(own.map((params) => params.shortResult).filter(Boolean)).toEqual([
        `working on ${value}`,
      ]);
      expect(own.at(-1)).toMatchObject({ stage: "end", result: `${value}\n` });
    }
    expect(await faults()).toEqual([]);
  });

  it("J: the provider gives two calls the same id, in one answer and in the next", async () => {
    const same: Reply = {
      steps: [
        openai.start(0, "call_same", "echo"),
        openai.input(0, '{"value":"1"}'),
        openai.start(1, "call_same", "echo"),
        openai.input(1, '{"value":"2"}'),
        openai.finish("tool_calls"),
      ],
    };
    const { agent, stages, faults } = await played([same, same, textReply("Done.")], {
      tools: [echo],
    });
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
    const ends = stages.filter(({ stage: reached }) => reached === "end");
    expect(ends.map(({ result }) => result)).toEqual(["echo 1", "echo 2", "echo 1", "echo 2"]);
    expect(new Set(ends.map(({ id }) => id)).size).toBe(4);
    expect(await faults()).toEqual([]);
  });

  it("K: the stream is truncated without an end", async () => {
    const steps = [
      openai.text("Let me see"),
      openai.start(0, "call_0", "echo"),
      openai.input(0, '{"va'),
    ];
    const { agent, lives, faults } = await played([{ steps, endsBare: true }], { tools: [echo] });
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "error" });
    expect(lives()).toEqual({ call_0: "start streaming end" });
    expect(await faults()).toEqual([]);
  });
});
