import { describe, expect, it } from "vitest";
import {
  type AgentToolBlockUpdateParams,
  addAssistantMessage,
  addErrorBlock,
  addUserMessage,
  appendAssistantText,
  countToolBlocks,
  messageText,
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
    expect(appendAssistantText(asked, "t", "x")).toBe(asked);
  });

  it("know what the user typed", () => {
    expect(userInputHistory(addUserMessage(begun, { id: "u2", at: 4, content: "more" }))).toEqual([
      "hi",
      "more",
    ]);
  });
});
