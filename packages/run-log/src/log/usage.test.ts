/** Tokens and cost add up, and what no side knows is never invented. */
import { describe, expect, it } from "vitest";
import { addUsage } from "./usage.js";

describe("addUsage", () => {
  it("adds every count and the cost", () => {
    const left = {
      inputTokens: 100,
      outputTokens: 10,
      cacheReadTokens: 64,
      cacheWriteTokens: 32,
      reasoningTokens: 5,
      costUsd: 0.25,
    };
    const right = {
      inputTokens: 1,
      outputTokens: 2,
      cacheReadTokens: 3,
      cacheWriteTokens: 4,
      reasoningTokens: 5,
      costUsd: 0.5,
    };
    expect(addUsage(left, right)).toStrictEqual({
      inputTokens: 101,
      outputTokens: 12,
      cacheReadTokens: 67,
      cacheWriteTokens: 36,
      reasoningTokens: 10,
      costUsd: 0.75,
    });
  });

  it("leaves out what no side knows", () => {
    const usage = { inputTokens: 1, outputTokens: 2 };
    expect(addUsage(usage, usage)).toStrictEqual({ inputTokens: 2, outputTokens: 4 });
  });

  it("keeps what only one side knows, also when it is zero", () => {
    const left = { inputTokens: 1, outputTokens: 2, costUsd: 0 };
    const right = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 7 };
    const sum = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 7, costUsd: 0 };
    expect(addUsage(left, right)).toStrictEqual(sum);
    expect(addUsage(right, left)).toStrictEqual(sum);
  });
});
