import { describe, expect, test } from "vitest";
import { finish, text } from "../testing/modelParts.js";
import type { AnswerPart } from "../types/answer.js";
import type { ModelPart } from "../types/model.js";
import { createAnswerReader } from "./answerParts.js";

function partsOf(parts: readonly ModelPart[], problem?: string): readonly AnswerPart[] {
  const answer: AnswerPart[] = [];
  const reader = createAnswerReader((part) => answer.push(part));
  for (const part of parts) reader.push(part);
  if (problem !== undefined) reader.fail(problem);
  return answer;
}

describe("text and reasoning", () => {
  test("markup in a text is text: what it means is known to the provider's door alone", () => {
    expect(partsOf([text("<think>so</think><tool_call>"), finish("stop")])).toStrictEqual([
      { type: "text", text: "<think>so</think><tool_call>" },
      { type: "finish", reason: "stop" },
    ]);
  });

  test("a split surrogate pair is joined and a lone one replaced", () => {
    const said = partsOf([text("\ud83d"), text("\ude00 \ud83d"), text("x\u0000"), finish("stop")]);
    expect(said.map((part) => (part.type === "text" ? part.text : ""))).toStrictEqual([
      "😀 ",
      "\ufffdx",
      "",
    ]);
  });

  test("half a character of a thought waits for the rest behind a call", () => {
    const thought = (delta: string) => ({ type: "reasoning-delta", id: "r", delta }) as const;
    const end = { type: "reasoning-end", id: "r" } as const;
    const start = { type: "tool-input-start", id: "c", toolName: "t" } as const;
    const thoughts = (deltas: readonly [string, string]): string =>
      partsOf([thought(deltas[0]), end, start, thought(deltas[1]), end, finish("stop")])
        .map((part) => (part.type === "reasoning" ? part.text : ""))
        .join("");
    expect(thoughts(["\ud83d", "\ude00"])).toBe("😀");
    expect(thoughts(["a", "\ud83d"])).toBe("a\ufffd");
  });

  test("a signature comes from wherever the provider put it", () => {
    const signed = { anthropic: { signature: "sig" } };
    expect(
      partsOf([
        { type: "reasoning-start", id: "r" },
        { type: "reasoning-delta", id: "r", delta: "hm" },
        { type: "reasoning-delta", id: "r", delta: "", providerMetadata: signed },
        { type: "reasoning-end", id: "r" },
        {
          type: "reasoning-start",
          id: "s",
          providerMetadata: { anthropic: { redactedData: "xx" } },
        },
        { type: "reasoning-end", id: "s" },
        { type: "reasoning-start", id: "u" },
        { type: "reasoning-end", id: "u" },
        finish("stop"),
      ]),
    ).toStrictEqual([
      { type: "reasoning", text: "hm" },
      { type: "reasoningEnd", opaque: signed },
      { type: "reasoningEnd", opaque: { anthropic: { redactedData: "xx" } } },
      { type: "finish", reason: "stop" },
    ]);
  });
});

test("images of both specs; other files and links are nobody's", () => {
  expect(
    partsOf([
      { type: "file", mediaType: "image/png", data: "AAAA" },
      { type: "file", mediaType: "image/png", data: new Uint8Array([0, 0, 0]) },
      { type: "file", mediaType: "image/png", data: { type: "data", data: "BBBB" } },
      {
        type: "file",
        mediaType: "image/png",
        data: { type: "url", url: new URL("https://a.b/c") },
      },
      { type: "file", mediaType: "text/plain", data: "AAAA" },
      { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "CCCC" } },
      { type: "custom", kind: "a.b" },
      finish("stop"),
    ]),
  ).toStrictEqual([
    { type: "image", image: { data: "AAAA", mediaType: "image/png" } },
    { type: "image", image: { data: "AAAA", mediaType: "image/png" } },
    { type: "image", image: { data: "BBBB", mediaType: "image/png" } },
    { type: "finish", reason: "stop" },
  ]);
});

test("usage is told with the model that gave the answer, before the finish", () => {
  const usage = {
    inputTokens: { total: 12, noCache: 2, cacheRead: 7, cacheWrite: 3 },
    outputTokens: { total: 5, text: 4, reasoning: 1 },
    raw: { cost: 0.25 },
  };
  const finishReason = { unified: "stop", raw: "stop" } as const;
  expect(
    partsOf([
      { type: "response-metadata", modelId: "m-1" },
      { type: "finish", finishReason, usage },
    ]),
  ).toStrictEqual([
    {
      type: "usage",
      usage: {
        inputTokens: 12,
        outputTokens: 5,
        cacheReadTokens: 7,
        cacheWriteTokens: 3,
        reasoningTokens: 1,
        costUsd: 0.25,
      },
      model: "m-1",
    },
    { type: "finish", reason: "stop" },
  ]);
});
