import { lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { createMessageManager } from "../managers/messageManager.js";
import { consoleLogger } from "../system/loggers.js";
import type { Message, ToolBlock } from "../types/messaging.js";
import {
  type AgentToolBlockUpdateParams,
  addAssistantMessage,
  addErrorBlock,
  addUserMessage,
  appendAssistantText,
  countToolBlocks,
  messageText,
  type UpdateToolBlockParams,
  updateToolBlock,
  userInputHistory,
} from "./messageOperations.js";

const call = { id: "c1", name: "read_file", parameters: "" };
const apply = (
  messages: Parameters<typeof addAssistantMessage>[0],
  params: AgentToolBlockUpdateParams,
) => updateToolBlock({ ...params, messages });

const asked = addUserMessage([], { id: "u1", at: 1, content: "hi", images: [{ data: "aGk=" }] });
const begun = addAssistantMessage(asked, { id: "a1", at: 2 });

describe("operations on messages", () => {
  it("leave their argument alone and share what they did not touch", () => {
    const frozen = Object.freeze([...begun]);
    const next = appendAssistantText(frozen, "t", "Hello");
    expect(next).not.toBe(frozen);
    expect(next[0]).toBe(frozen[0]);
    expect(frozen[1]?.blocks).toEqual([]);
  });

  it("keep text, tool and text in their order", () => {
    let messages = appendAssistantText(begun, "t1", "Let me ");
    messages = appendAssistantText(messages, "t1", "look.");
    messages = apply(messages, { ...call, stage: "start" });
    messages = appendAssistantText(messages, "t2", "Done.");
    expect(messages[1]?.blocks.map((block) => block.type)).toEqual(["text", "tool", "text"]);
    expect(messages[1] && messageText(messages[1])).toBe("Let me look.\nDone.");
  });

  it("take a call from its start to its end, gathering its output", () => {
    let messages = apply(begun, { ...call, stage: "start" });
    messages = apply(messages, {
      ...call,
      parameters: "{",
      stage: "streaming",
      parametersChunk: "{",
    });
    messages = apply(messages, { ...call, parameters: "{}", stage: "running" });
    messages = apply(messages, { ...call, parameters: "{}", stage: "streaming", result: "a" });
    messages = apply(messages, { ...call, parameters: "{}", stage: "streaming", result: "b" });
    expect(messages[1]?.blocks).toMatchObject([{ stage: "streaming", content: "ab" }]);
    messages = apply(messages, {
      ...call,
      parameters: "{}",
      stage: "end",
      success: true,
      result: "abc",
    });
    expect(messages[1]?.blocks).toEqual([
      {
        type: "tool",
        id: "c1",
        name: "read_file",
        parameters: "{}",
        stage: "end",
        success: true,
        result: "abc",
        content: "abc",
        toolCall: { name: "read_file", arguments: "{}" },
      },
    ]);
    expect(countToolBlocks(messages)).toBe(1);
  });

  it("let nothing follow an end", () => {
    const ended = apply(begun, { ...call, stage: "end", success: false, error: "no" });
    const again = apply(ended, { ...call, stage: "running" });
    expect(again[1]).toBe(ended[1]);
  });

  it("find a call in an earlier message, and never name it unknown", () => {
    let messages = apply(begun, { ...call, stage: "start" });
    messages = addAssistantMessage(messages, { id: "a2", at: 3 });
    messages = apply(messages, { ...call, stage: "end", success: true, result: "x" });
    expect(messages[1]?.blocks).toMatchObject([{ name: "read_file", stage: "end" }]);
    expect(messages[2]?.blocks).toEqual([]);
  });

  it("change nothing where there is no answer to change", () => {
    expect(addErrorBlock([], "x")).toEqual([]);
    const same = appendAssistantText(asked, "t", "x");
    expect(same).toEqual(asked);
    expect(same[0]).toBe(asked[0]);
  });

  it("start a nested agent's call in its own messages, and continue with it there", () => {
    const nested = { id: "n1", role: "assistant", blocks: [], startedAt: 3 } as const;
    const subagent = {
      type: "subagent",
      subagentId: "agent",
      subagentName: "delegate",
      status: "active",
      messages: [nested],
    } as const;
    const delegated = [...asked, { ...nested, id: "a1", blocks: [subagent] }];
    const inner = { ...call, parentCallId: "agent" };
    let messages = apply(delegated, { ...inner, stage: "start" });
    messages = apply(messages, { ...inner, stage: "end", success: true, result: "x" });
    expect(messages[1]?.blocks).toMatchObject([
      { type: "subagent", messages: [{ blocks: [{ id: "c1", stage: "end", content: "x" }] }] },
    ]);
  });

  it.each<[Partial<UpdateToolBlockParams>, object]>([
    [
      { stage: "start", result: "x", error: "y" },
      { stage: "start", content: "" },
    ],
    [{ stage: "end" }, { success: true, result: "", content: "" }],
    [
      { stage: "end", result: "x" },
      { success: true, result: "x", content: "x" },
    ],
    [
      { stage: "end", error: "no" },
      { success: false, error: "no", content: "" },
    ],
    [
      { stage: "end", success: false },
      { success: false, error: "The tool failed." },
    ],
    [
      { stage: "running", shortResult: "s", images: [] },
      { stage: "running", shortResult: "s" },
    ],
  ])("take plain parameters %j as their stage can carry them", (plain, block) => {
    const params = { id: "c1", parameters: "{}", stage: "start" as const, ...plain };
    const known = apply(begun, { ...call, stage: "start" });
    const [after] = updateToolBlock({ ...params, messages: known })[1]?.blocks ?? [];
    expect(after).toMatchObject({ name: "read_file", ...block });
    expect(Object.keys(after ?? {})).not.toContain(plain.stage === "start" ? "result" : "images");
  });

  it("know what the user typed", () => {
    expect(userInputHistory(addUserMessage(begun, { id: "u2", at: 4, content: "more" }))).toEqual([
      "hi",
      "more",
    ]);
  });
});

const emptyAnswer = addAssistantMessage([], { id: "a1", at: 0 });

/** Every tool block by its id, however deep it is. */
function toolBlocks(messages: readonly Message[]): ReadonlyMap<string, ToolBlock> {
  const found = new Map<string, ToolBlock>();
  for (const block of messages.flatMap(({ blocks }) => blocks)) {
    if (block.type === "tool") found.set(block.id, block);
    if (block.type === "subagent") {
      for (const [id, nested] of toolBlocks(block.messages)) found.set(id, nested);
    }
  }
  return found;
}

describe.each(lives)("the callbacks of $name, taken over by updateToolBlock", ({ log }) => {
  it("give the tool blocks of agent.messages after every event", () => {
    const manager = createMessageManager({
      logger: consoleLogger,
      callbacks: () => ({
        onToolBlockUpdated(params) {
          taken = updateToolBlock({ ...params, messages: taken });
        },
      }),
    });
    let taken: Message[] = emptyAnswer;
    for (const event of log) {
      manager.push(event);
      expect(toolBlocks(taken)).toEqual(toolBlocks(manager.messages));
    }
  });
});
