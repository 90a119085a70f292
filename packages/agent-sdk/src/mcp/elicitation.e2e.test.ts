/** A server asks the person in the middle of a call: the question is a call within it, and no answer is made up. */
import type { RunEvent } from "@callboard/run-log";
import { startWebServer } from "@callboard/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { createUserQuestions, type UserQuestions } from "../tools/askUser.js";
import type { AgentOptions } from "../types/agent.js";
import { tasksExtension } from "./remoteTask.js";
import { type AskingServers, startAskingServers } from "./testing/askingServers.js";

let servers: AskingServers;
const stages: AgentStage[] = [];
beforeAll(async () => {
  servers = await startAskingServers(startWebServer);
});
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});
afterAll(() => servers.close());

async function staged(era: "old" | "new", options: AgentOptions, input: object = {}) {
  const replies = [callsReply([`mcp__${era}__book`, input]), textReply("done")];
  const stage = await setAgentStage(replies, {
    mcpServers: { [era]: { url: servers.urls[era] } },
    approval: { otherwise: "allow" },
    ...options,
  });
  stages.push(stage);
  return stage;
}

function told(events: readonly RunEvent[]): readonly (readonly unknown[])[] {
  return events.flatMap((event) => {
    switch (event.type) {
      case "call.opened":
        return [["opened", event.callId, event.toolName, event.parentCallId]];
      case "call.run.started":
        return [["began", event.callId, event.delegatedTo]];
      case "call.closed":
        return [
          ["closed", event.callId, event.outcome, event.outcome === "ok" ? event.output : ""],
        ];
      default:
        return [];
    }
  });
}

const asking = (questions: UserQuestions): AgentOptions => ({ tools: [questions.tool] });

describe.each(["old", "new"] as const)("a server that is %s", (era) => {
  const state = era === "new" ? { state: "opaque" } : {};

  it("gets the answer to its form", async () => {
    const asked: unknown[] = [];
    const answer = { name: "Ada", seat: "w", meals: ["lunch"] };
    const questions = createUserQuestions({
      onAsked({ question }) {
        asked.push(question);
        return { status: "answered", answer };
      },
    });
    const { agent, events, faults } = await staged(era, asking(questions));
    expect(await agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "done" });
    expect(asked).toMatchObject([
      {
        question: `The MCP server ${era} asks: Who flies?`,
        form: {
          properties: { seat: { type: "string", enum: ["w"], enumNames: ["Window"] } },
          required: ["name"],
        },
      },
    ]);
    const [, ask] = events.flatMap((event) => (event.type === "call.opened" ? [event.callId] : []));
    expect(told(events)).toEqual([
      ["opened", "call_0", `mcp__${era}__book`, undefined],
      ["began", "call_0", undefined],
      ["opened", ask, "ask_user", "call_0"],
      ["began", ask, "user"],
      ["closed", ask, "ok", JSON.stringify(answer)],
      ["closed", "call_0", "ok", JSON.stringify({ action: "accept", content: answer, ...state })],
    ]);
    expect(await faults()).toEqual([]);
    const protocolVersion = era === "old" ? "2025-11-25" : "2026-07-28";
    expect(agent.mcpServers).toMatchObject([{ name: era, status: "connected", protocolVersion }]);
    expect(servers.capabilities[era]).toMatchObject({ elicitation: { form: {}, url: {} } });
  });

  it.each([
    ["declined", { status: "declined" }, "decline"],
    ["expired", undefined, "cancel"],
  ] as const)("is told that a question was %s", async (_, reply, action) => {
    const timeoutMs = reply === undefined ? 1 : null;
    const questions = createUserQuestions({ onAsked: () => reply, timeoutMs });
    const { agent, events } = await staged(era, asking(questions));
    await agent.sendMessage("go");
    expect(told(events).at(-1)).toEqual([
      ...["closed", "call_0", "ok"],
      JSON.stringify({ action, ...state }),
    ]);
  });

  it("has an address opened by the person alone", async () => {
    const url = "https://example.org/pay?id=1";
    const questions = createUserQuestions({
      onAsked: ({ question }) => ({ status: "answered", answer: question.choices?.[0] ?? "" }),
    });
    const { agent, events } = await staged(era, asking(questions), { url });
    await agent.sendMessage("go");
    const inputs = events.flatMap((event) =>
      event.type === "call.input.closed" && event.parsed ? [event.input] : [],
    );
    expect(inputs[1]).toMatchObject({ url });
    expect(told(events).at(-1)).toEqual([
      ...["closed", "call_0", "ok"],
      JSON.stringify({ action: "accept", ...state }),
    ]);
  });

  it("is not told that it may ask where nobody can answer", async () => {
    const { agent, events } = await staged(era, { tools: [] });
    await agent.sendMessage("go");
    expect(servers.capabilities[era]).toEqual({ extensions: { [tasksExtension]: {} } });
    expect(told(events)).toHaveLength(3);
    expect(told(events).at(-1)).toMatchObject(["closed", "call_0", "error", ""]);
  });

  it("waits no more when its call is cancelled", async () => {
    const questions = createUserQuestions();
    const { agent, events } = await staged(era, asking(questions));
    const sent = agent.sendMessage("go");
    await expect.poll(() => questions.pending.length, { timeout: 20_000 }).toBe(1);
    agent.abortMessage();
    await sent;
    expect(questions.pending).toEqual([]);
    const ends = told(events).filter(([what]) => what === "closed");
    expect(ends.map(([, , outcome]) => outcome)).toEqual(["cancelled", "cancelled"]);
  });
});

describe("a call that a server answers with a task", () => {
  const [get, cancel] = [
    ["tasks/get", "t1", undefined],
    ["tasks/cancel", "t1", undefined],
  ];
  beforeEach(() => void servers.aboutTasks.splice(0));

  it("ends with its result, and asks the person once for what the task needs", async () => {
    const answer = { name: "Ada" };
    const questions = createUserQuestions({ onAsked: () => ({ status: "answered", answer }) });
    const { agent, events, faults } = await staged("new", asking(questions), { task: "asks" });
    await agent.sendMessage("go");
    const [, ask] = events.flatMap((event) => (event.type === "call.opened" ? [event.callId] : []));
    const responses = { who: { action: "accept", content: answer } };
    expect(told(events)).toEqual([
      ["opened", "call_0", "mcp__new__book", undefined],
      ["began", "call_0", undefined],
      ["opened", ask, "ask_user", "call_0"],
      ["began", ask, "user"],
      ["closed", ask, "ok", JSON.stringify(answer)],
      ["closed", "call_0", "ok", JSON.stringify(responses)],
    ]);
    const progress = events.flatMap((event) =>
      event.type === "call.run.progressed" ? [event.progress] : [],
    );
    expect(progress).toEqual([{ type: "message", message: "step 1" }]);
    expect(servers.aboutTasks).toEqual([get, get, ["tasks/update", "t1", responses], get, get]);
    expect(await faults()).toEqual([]);
  });

  it("fails with what the server says of its task", async () => {
    const { agent, events } = await staged("new", { tools: [] }, { task: "fails" });
    await agent.sendMessage("go");
    expect(events.findLast(({ type }) => type === "call.closed")).toMatchObject({
      ...{ outcome: "error", errorType: "mcp_remote", message: "No seats." },
    });
    expect(servers.aboutTasks).toEqual([get]);
  });

  it("has its task cancelled when it is cancelled", async () => {
    const { agent, events } = await staged("new", { tools: [] }, { task: "lasts" });
    const sent = agent.sendMessage("go");
    await expect.poll(() => servers.aboutTasks.length, { timeout: 20_000 }).toBeGreaterThan(2);
    agent.abortMessage();
    await sent;
    expect(told(events).at(-1)).toEqual(["closed", "call_0", "cancelled", ""]);
    await expect.poll(() => servers.aboutTasks.at(-1), { timeout: 20_000 }).toEqual(cancel);
  });
});
