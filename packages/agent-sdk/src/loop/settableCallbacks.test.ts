/** The callbacks of an agent as properties: set, replaced, removed, and told what they promise. */
import { afterEach, describe, expect, it } from "vitest";
import { Agent } from "../agent.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, setAgentStage, textReply } from "../testing/agentStage.js";
import type { AgentOptions } from "../types/agent.js";
import type { Message } from "../types/messaging.js";

let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

async function played(texts: readonly string[], options: AgentOptions = {}): Promise<AgentStage> {
  stage = await setAgentStage(texts.map(textReply), options);
  return stage;
}

describe("the callbacks of an agent", () => {
  it("are those it was created with until others are set, and none once they are removed", async () => {
    const told: string[] = [];
    const { agent } = await played(["one", "two", "three"], {
      callbacks: { onAssistantContentUpdated: (chunk) => void told.push(`first ${chunk}`) },
    });
    await agent.sendMessage("a");
    agent.onAssistantContentUpdated = (chunk: string, accumulated: string) => {
      told.push(`second ${chunk} ${accumulated}`);
    };
    await agent.sendMessage("b");
    agent.onAssistantContentUpdated = undefined;
    await agent.sendMessage("c");
    expect(told).toEqual(["first one", "second two two"]);
  });

  it("are all taken over from those it was created with", async () => {
    const { agent } = await played([], { callbacks: {} });
    const names = Object.keys(agent).filter((name) => name.startsWith("on"));
    expect(names.length).toBeGreaterThanOrEqual(17);
    const given = Object.fromEntries(names.map((name) => [name, () => name]));
    const store = createMemorySessionStore({ clock: systemClock });
    const other = await Agent.create({ model: "rehearsal", store, tools: [], callbacks: given });
    await other.destroy();
    const taken = Object.entries(other).filter(([name]) => name.startsWith("on"));
    expect(taken.map(([name, callback]) => [name, callback?.()])).toEqual(
      names.map((name) => [name, name]),
    );
  });

  it("keep their own object as `this`", async () => {
    class Page {
      readonly #texts: string[] = [];
      get texts(): readonly string[] {
        return this.#texts;
      }
      onAssistantContentUpdated(chunk: string): void {
        this.#texts.push(chunk);
      }
    }
    const page = new Page();
    const store = createMemorySessionStore({ clock: systemClock });
    const agent = await Agent.create({ model: "rehearsal", store, tools: [], callbacks: page });
    await agent.sendMessage("say hello");
    await agent.destroy();
    expect(page.texts.join("")).toBe("Rehearsal: hello");
  });

  it("own the list of messages that they are given", async () => {
    const lengths: number[] = [];
    const { agent } = await played(["hello"]);
    agent.onMessagesChange = (messages: Message[]) => {
      lengths.push(messages.length);
      messages.length = 0;
      expect(agent.messages).toHaveLength(lengths.at(-1) ?? 0);
    };
    await agent.sendMessage("a");
    expect(agent.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(new Set(lengths)).toEqual(new Set([1, 2]));
    expect(stage?.logged).toEqual([]);
  });

  it("are told of an answer's start without arguments", async () => {
    const given: unknown[][] = [];
    const { agent } = await played(["hello"]);
    agent.onAssistantMessageAdded = (...args: unknown[]) => void given.push(args);
    await agent.sendMessage("a");
    expect(given).toEqual([[]]);
  });
});

describe("stream: false", () => {
  it("tells no callback of growing text, and everything else", async () => {
    const told: string[] = [];
    const choices = [{ message: { content: "whole" }, finish_reason: "stop" }];
    stage = await setAgentStage([{ json: { choices } }], {
      stream: false,
      callbacks: {
        onAssistantMessageAdded: () => void told.push("added"),
        onAssistantContentUpdated: () => void told.push("content"),
        onAssistantReasoningUpdated: () => void told.push("reasoning"),
        onSubagentContentUpdated: () => void told.push("subagent"),
        onRunClosed: (outcome) => void told.push(outcome),
      },
    });
    const { text } = await stage.agent.sendMessage("a");
    expect(text).toBe("whole");
    expect(told).toEqual(["added", "ok"]);
    expect(stage.agent.messages.at(-1)?.blocks).toMatchObject([{ type: "text", content: "whole" }]);
  });
});
