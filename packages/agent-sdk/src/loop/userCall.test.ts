/** A tool that the person runs: what is logged, shown and told, and what still forbids it. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentStage, setAgentStage, textReply } from "../testing/agentStage.js";
import { createGate, type Gate } from "../testing/gate.js";
import { openai } from "../testing/providerFrames.js";
import type { Reply } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import type { AgentOptions } from "../types/agent.js";
import { UnknownToolError } from "./userCall.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const ran: string[] = [];
const write = defineTool({
  name: "write_file",
  description: "writes",
  kind: "edit",
  input: z.object({ path: z.string() }),
  needsApproval: true,
  aliases: ["core_write"],
  title: "Writing {{path}}",
  approvalTarget: ({ path }) => String(path),
  locations: ({ path }) => [{ path: String(path) }],
  run({ path }, context) {
    ran.push(path);
    context.progress("half");
    return { output: `wrote ${path}`, summary: "1 file" };
  },
});

async function played(
  replies: readonly Reply[] = [],
  options: AgentOptions = {},
): Promise<AgentStage> {
  ran.length = 0;
  stage = await setAgentStage(replies, { tools: [write], ...options });
  return stage;
}

/** What is wrong with what was stored and told, once everything is. */
async function settledFaults(): Promise<readonly string[] | undefined> {
  const played = stage;
  stage = undefined;
  await played?.close();
  return await played?.faults();
}

/** What the model was told last. */
function lastTold({ server }: AgentStage): string {
  return JSON.stringify(server.requests.at(-1)?.body);
}

/** A tool that says when it runs and ends when it is told to, or when it is stopped. */
function waitingTool(begun: Gate, end: Gate) {
  return defineTool({
    name: "wait",
    description: "waits",
    kind: "other",
    input: z.object({}),
    async run(_, { signal }) {
      begun.open();
      await new Promise<void>((resolve, reject) => {
        void end.opened.then(resolve);
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
      });
      return "waited";
    },
  });
}

describe("a tool that the person runs", () => {
  it("is logged as a call of theirs, shown as a tool, and needs nobody's approval", async () => {
    const { agent, events, stages } = await played();
    const result = await agent.runTool("write_file", { path: "a.txt" }, { runId: "run-7" });
    const callId = "user-run-7";
    expect(await settledFaults()).toEqual([]);
    expect(result).toEqual({
      runId: "run-7",
      callId,
      outcome: "ok",
      output: "wrote a.txt",
      summary: "1 file",
    });
    expect(events.map(({ type }) => type)).toEqual([
      "run.started",
      "message.opened",
      "call.opened",
      "call.input.closed",
      "message.closed",
      "call.run.started",
      "call.run.progressed",
      "call.closed",
      "run.closed",
    ]);
    expect(events).toMatchObject([
      { runId: "run-7", model: "none" },
      { role: "user" },
      { callId, toolName: "write_file", openedBy: "user", kind: "edit" },
      { input: { path: "a.txt" }, title: "Writing a.txt", locations: [{ path: "a.txt" }] },
      {},
      {},
      {},
      { outcome: "ok" },
      { outcome: "ok" },
    ]);
    const told = { id: callId, name: "write_file", compactParams: "a.txt" };
    const parameters = '{"path":"a.txt"}';
    expect(stages).toEqual([
      { id: callId, name: "write_file", parameters: "", stage: "start" },
      { ...told, parameters, stage: "running" },
      { ...told, parameters, stage: "running", shortResult: "half" },
      {
        ...told,
        parameters,
        stage: "end",
        success: true,
        result: "wrote a.txt",
        shortResult: "1 file",
      },
    ]);
    expect(agent.messages).toMatchObject([
      {
        role: "user",
        blocks: [{ type: "tool", id: callId, stage: "end", content: "wrote a.txt" }],
      },
    ]);
    expect(agent.pendingApprovals).toEqual([]);
  });

  it("is told to the model with the next request", async () => {
    const played1 = await played([textReply("I see.")]);
    await played1.agent.runTool("write_file", { path: "a.txt" });
    await played1.agent.sendMessage("what did I do?");
    expect(played1.server.requests[0]?.body).toMatchObject({
      messages: [
        { role: "user", content: 'I ran the tool write_file with {"path":"a.txt"}:\nwrote a.txt' },
        { role: "user", content: "what did I do?" },
      ],
    });
  });

  it("tells the model why it failed, and shows it the images that it gave", async () => {
    const look = defineTool({
      name: "look",
      description: "looks",
      kind: "read",
      input: z.object({ at: z.string() }),
      run({ at }) {
        if (at === "nothing") throw new Error("there is nothing");
        return { output: "a picture", images: [{ data: "UElDVA==", mediaType: "image/jpeg" }] };
      },
    });
    const stageOf = await played([textReply("I see.")], { tools: [look] });
    await stageOf.agent.runTool("look", { at: "nothing" });
    await stageOf.agent.runTool("look", { at: "sky" });
    await stageOf.agent.sendMessage("well?");
    expect(lastTold(stageOf)).toContain("TOOL ERROR [execution]: there is nothing");
    expect(lastTold(stageOf)).toContain("data:image/jpeg;base64,UElDVA==");
  });

  it("may be named by an old name, and is logged under its own", async () => {
    const { agent, events } = await played();
    await agent.runTool("core_write", { path: "a.txt" });
    expect(await settledFaults()).toEqual([]);
    expect(events.find(({ type }) => type === "call.opened")).toMatchObject({
      toolName: "write_file",
    });
    expect(ran).toEqual(["a.txt"]);
  });

  it("does not run with arguments that are not valid: the outcome names the field", async () => {
    const { agent, events } = await played();
    const result = await agent.runTool("write_file", { paht: "a.txt" });
    expect(result).toMatchObject({
      outcome: "error",
      errorType: "invalid_arguments",
      message: expect.stringContaining('"path"'),
    });
    expect(ran).toEqual([]);
    expect(await settledFaults()).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "run.closed", outcome: "error" });
  });

  it("does not run where a rule denies it, and runs where nobody else would be allowed to", async () => {
    const { agent, events } = await played([], {
      approval: { deny: ["write_file(secret/**)"], otherwise: "deny" },
    });
    const denied = await agent.runTool("write_file", { path: "secret/key" });
    expect(denied).toMatchObject({ outcome: "denied", errorType: "denied" });
    expect(denied.message).toContain("write_file(secret/**)");
    expect(await agent.runTool("write_file", { path: "a.txt" })).toMatchObject({ outcome: "ok" });
    expect(ran).toEqual(["a.txt"]);
    expect(await settledFaults()).toEqual([]);
    const asked = events.filter(({ type }) => type === "call.approval.asked");
    expect(asked).toEqual([]);
  });

  it("is counted by no guard: a person may do a thing as often as they like", async () => {
    const { agent } = await played([], {
      limits: { maxCallsPerMinute: 1, maxIdenticalCalls: 1, maxCalls: 1 },
    });
    for (let time = 0; time < 4; time += 1) {
      expect(await agent.runTool("write_file", { path: "a" })).toMatchObject({ outcome: "ok" });
    }
  });

  it("that the agent does not have is refused before anything is logged", async () => {
    const { agent, events } = await played([textReply("fine")]);
    const refused = agent.runTool("delete_file", {});
    await expect(refused).rejects.toThrow(UnknownToolError);
    await expect(refused).rejects.toThrow(
      "There is no tool delete_file. There are: write_file, delegate.",
    );
    expect(events).toEqual([]);
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok" });
  });

  it("puts the whole of a long output into a file, and head and tail into the log", async () => {
    const long = defineTool({
      name: "long",
      description: "says much",
      kind: "read",
      input: z.object({}),
      run: () => "x".repeat(5_000),
    });
    const { agent } = await played([], { tools: [long], limits: { maxOutputChars: 1_000 } });
    const { output = "", filePath = "" } = await agent.runTool("long", {});
    expect(output.length).toBeLessThan(1_100);
    expect(readFileSync(filePath, "utf8")).toBe("x".repeat(5_000));
  });

  it("may be the one that delegates: the nested agent works in its log", async () => {
    const { agent, events } = await played([textReply("done so"), textReply("I see")]);
    const result = await agent.runTool("delegate", { task: "look" });
    expect(result).toMatchObject({ outcome: "ok", output: "done so" });
    expect(await settledFaults()).toEqual([]);
    const roles = events.flatMap((event) =>
      event.type === "message.opened" ? [[event.role, event.parentCallId]] : [],
    );
    expect(roles).toEqual([
      ["user", undefined],
      ["user", result.callId],
      ["assistant", result.callId],
    ]);
    expect(agent.messages[0]?.blocks).toMatchObject([
      { type: "tool", stage: "end" },
      { type: "subagent", status: "completed" },
    ]);
  });
});

describe("running a tool while something else runs", () => {
  it("waits for its turn", async () => {
    const gate = createGate();
    const slow: Reply = {
      steps: [{ until: gate.opened }, openai.text("hello"), openai.finish("stop")],
    };
    const { agent, events } = await played([slow]);
    const first = agent.sendMessage("go");
    const second = agent.runTool("write_file", { path: "a.txt" });
    expect(agent.isBusy).toBe(true);
    gate.open();
    await Promise.all([first, second]);
    expect(await settledFaults()).toEqual([]);
    const runs = events.flatMap((event) =>
      event.type === "run.started" || event.type === "run.closed" ? [event.type] : [],
    );
    expect(runs).toEqual(["run.started", "run.closed", "run.started", "run.closed"]);
    expect(ran).toEqual(["a.txt"]);
  });

  it("is given up when it is aborted in the queue", async () => {
    const gate = createGate();
    const slow: Reply = {
      steps: [{ until: gate.opened }, openai.text("hello"), openai.finish("stop")],
    };
    const { agent } = await played([slow]);
    const abort = new AbortController();
    const first = agent.sendMessage("go");
    const second = agent.runTool("write_file", { path: "a" }, { signal: abort.signal });
    abort.abort("no more");
    gate.open();
    await first;
    expect(await second).toMatchObject({ outcome: "cancelled", message: "no more" });
    expect([ran, await settledFaults()]).toEqual([[], []]);
  });
});

describe("a tool of the person under way", () => {
  it.each([
    ["cancelCall", "cancelled"],
    ["abortMessage", "cancelled"],
    ["the signal", "cancelled"],
    ["nobody", "ok"],
  ])("ended by %s has the outcome %s", async (by, outcome) => {
    const [begun, end, abort] = [createGate(), createGate(), new AbortController()];
    const { agent } = await played([], { tools: [waitingTool(begun, end)] });
    const running = agent.runTool("wait", {}, { runId: "r", signal: abort.signal });
    await begun.opened;
    if (by === "cancelCall") expect(agent.cancelCall("user-r", "enough")).toBe(true);
    if (by === "abortMessage") agent.abortMessage("enough");
    if (by === "the signal") abort.abort("enough");
    if (by === "nobody") end.open();
    const message = outcome === "ok" ? {} : { message: "enough" };
    expect(await running).toMatchObject({ outcome, ...message });
    expect(agent.cancelCall("user-r")).toBe(false);
    expect(await settledFaults()).toEqual([]);
  });
});

describe("agent.tools", () => {
  it("lists what can be called, with what a form needs", async () => {
    const { agent } = await played();
    expect(agent.tools.map(({ name, kind, toolType }) => [name, kind, toolType])).toEqual([
      ["write_file", "edit", "local"],
      ["delegate", "other", "agent"],
    ]);
    expect(agent.tools[0]).toEqual({
      name: "write_file",
      description: "writes",
      kind: "edit",
      toolType: "local",
      inputSchema: write.inputSchema,
      needsApproval: true,
    });
  });

  it("is empty where the agent has none", async () => {
    const { agent } = await played([], { tools: [] });
    expect(agent.tools).toEqual([]);
  });
});
