/** What is said on the AI SDK's stream beside calls, and how a run starts and ends there. */
import { describe, expect, it } from "vitest";
import { project } from "./shared/projection.js";
import { stories } from "./testing/stories.js";
import { chunksOf, outlineOf, read } from "./testing/uiMessageReader.js";
import { createUiMessageProjection } from "./uiMessage.js";

const start = {
  type: "start",
  messageId: "r",
  messageMetadata: { runId: "r", conversationId: "c", model: "rehearsal" },
};
const noUsage = { inputTokens: 0, outputTokens: 0 };
const totals = (outcome: string, calls = 0, usage: object = noUsage): object => ({
  type: "message-metadata",
  messageMetadata: { usage, calls, outcome },
});

describe("a run without calls", () => {
  it("streams text as one part of one step", async () => {
    const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 1 };
    const chunks = chunksOf(stories.plainText);
    expect(chunks).toEqual([
      start,
      { type: "start-step" },
      { type: "text-start", id: "p" },
      { type: "text-delta", id: "p", delta: "Hel" },
      { type: "text-delta", id: "p", delta: "lo" },
      { type: "message-metadata", messageMetadata: { usage } },
      { type: "text-end", id: "p" },
      totals("ok", 0, usage),
      { type: "finish-step" },
      { type: "finish", finishReason: "stop" },
    ]);
    expect((await read(chunks)).message).toEqual({
      id: "r",
      role: "assistant",
      metadata: { ...start.messageMetadata, usage, calls: 0, outcome: "ok" },
      parts: [{ type: "step-start" }, { type: "text", text: "Hello", state: "done" }],
    });
  });

  it("takes the id that the page knows already", () => {
    const [first] = project(createUiMessageProjection({ messageId: "page" }), stories.plainText);
    expect(first).toEqual({ ...start, messageId: "page" });
  });

  it("streams reasoning before the text, and keeps its signature to itself", async () => {
    const chunks = chunksOf(stories.reasoning);
    expect(chunks).toEqual([
      start,
      { type: "start-step" },
      { type: "reasoning-start", id: "p" },
      { type: "reasoning-delta", id: "p", delta: "Hm" },
      { type: "reasoning-delta", id: "p", delta: "m." },
      { type: "reasoning-end", id: "p" },
      { type: "text-start", id: "q" },
      { type: "text-delta", id: "q", delta: "No." },
      { type: "text-end", id: "q" },
      totals("ok"),
      { type: "finish-step" },
      { type: "finish", finishReason: "stop" },
    ]);
    const { message } = await read(chunks);
    expect(message?.parts.map(outlineOf)).toEqual([
      "step-start",
      ["reasoning", "done", "Hmm."],
      ["text", "done", "No."],
    ]);
  });

  it("keeps data in the message and tells a status in passing", async () => {
    const chunks = chunksOf(stories.besides);
    expect(chunks).toEqual([
      start,
      {
        type: "data-status",
        data: { status: "preparing", userMessage: "Getting ready" },
        transient: true,
      },
      { type: "data-emitted", data: { items: [1] } },
      totals("ok"),
      { type: "finish", finishReason: "stop" },
    ]);
    const { message } = await read(chunks);
    expect(message?.parts).toEqual([{ type: "data-emitted", data: { items: [1] } }]);
  });
});

describe("the end of a run", () => {
  it("ends a cancelled run with an abort, and its text before", async () => {
    const chunks = chunksOf(stories.cancelledInText);
    expect(chunks.slice(4)).toEqual([
      { type: "text-end", id: "p" },
      totals("cancelled"),
      { type: "finish-step" },
      { type: "abort", reason: "stopped by the user" },
    ]);
    const { message, errors } = await read(chunks);
    expect(message?.parts.map(outlineOf)).toEqual(["step-start", ["text", "done", "Hel"]]);
    expect(errors).toEqual([]);
  });

  it("says an error only at the end, in the words for the user", async () => {
    const chunks = chunksOf(stories.errorMidStream);
    const failure = { errorType: "provider", message: "503", userMessage: "busy" };
    expect(chunks.map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "text-start",
      "text-delta",
      "text-end",
      "tool-input-start",
      "tool-input-delta",
      "data-error",
      "tool-input-error",
      "tool-output-error",
      "message-metadata",
      "error",
      "finish-step",
      "finish",
    ]);
    expect(chunks.slice(-3)).toEqual([
      { type: "error", errorText: "busy" },
      { type: "finish-step" },
      { type: "finish", finishReason: "error" },
    ]);
    const { message, errors } = await read(chunks);
    expect(errors).toEqual(["busy"]);
    expect(message?.parts.map(outlineOf)).toEqual([
      "step-start",
      ["text", "done", "Hel"],
      ["a", "output-error", '{"p":', "the provider failed"],
      ["data-error", failure],
    ]);
  });

  it("calls an interruption an error and a limit something else", async () => {
    expect(chunksOf(stories.interrupted).slice(-3)).toEqual([
      { type: "error", errorText: "crashed" },
      { type: "finish-step" },
      { type: "finish", finishReason: "error" },
    ]);
    expect(chunksOf(stories.limit).slice(-3)).toEqual([
      totals("limit", 1),
      { type: "finish-step" },
      { type: "finish", finishReason: "other" },
    ]);
    expect((await read(chunksOf(stories.limit))).errors).toEqual([]);
  });
});

describe("a nested agent", () => {
  it("lives in data parts and leaves the run's own text alone", async () => {
    const { message } = await read(chunksOf(stories.nestedAgent));
    const own = message?.parts.filter((part) => !part.type.startsWith("data-"));
    expect(own?.map(outlineOf)).toEqual([
      "step-start",
      ["a", "output-available", {}, "done"],
      ["text", "done", "Mine. Still mine."],
    ]);
    const nested = message?.parts.filter((part) => part.type.startsWith("data-"));
    const tool = { toolType: "local", openedBy: "model", iteration: 0 };
    const words = { parentToolCallId: "a", messageId: "n", role: "assistant" };
    expect(nested).toEqual([
      { type: "data-nested-text", id: "n1", data: { ...words, kind: "reasoning", text: "Hm." } },
      { type: "data-nested-text", id: "n2", data: { ...words, kind: "text", text: "Its own." } },
      {
        type: "data-nested-call",
        id: "b",
        data: {
          parentToolCallId: "a",
          toolCallId: "b",
          toolName: "Inner",
          toolMetadata: { ...tool, toolType: "agent", outcome: "ok", ranMs: 3 },
          state: "output-available",
          input: {},
          output: "deeper",
        },
      },
      {
        type: "data-nested-call",
        id: "d",
        data: {
          parentToolCallId: "b",
          toolCallId: "d",
          toolName: "Read",
          toolMetadata: { ...tool, outcome: "cancelled", ranMs: 0, errorType: "cancelled" },
          state: "output-error",
          input: "",
          errorText: "the call that it worked for ended: ok",
        },
      },
      {
        type: "data-nested-call",
        id: "e",
        data: {
          parentToolCallId: "a",
          toolCallId: "e",
          toolName: "Read",
          toolMetadata: { ...tool, outcome: "error", ranMs: 1, errorType: "error" },
          state: "output-error",
          input: {},
          errorText: "no",
        },
      },
    ]);
  });

  it("streams its text and its calls' output in passing, and shows what its calls wait for", () => {
    const passing = chunksOf(stories.nestedAgent).filter((chunk) => "transient" in chunk);
    const delta = (id: string, offset: number, text: string): object => ({
      type: "data-nested-text-delta",
      data: { parentToolCallId: "a", id, offset, delta: text },
      transient: true,
    });
    expect(passing).toEqual([
      delta("n1", 0, "Hm."),
      delta("n2", 0, "Its "),
      delta("n2", 4, "own."),
      {
        type: "data-call-output",
        data: { toolCallId: "b", offset: 0, delta: "deep" },
        transient: true,
      },
    ]);
    const states = chunksOf(stories.nestedAgent).flatMap((chunk) =>
      chunk.type === "data-nested-call" && chunk.id === "b" ? [chunk.data.state] : [],
    );
    expect(states).toEqual([
      "input-streaming",
      "input-available",
      "approval-requested",
      "approval-responded",
      "output-available",
    ]);
  });
});
