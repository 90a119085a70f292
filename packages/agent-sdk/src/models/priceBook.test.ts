import { describe, expect, it } from "vitest";
import { knownPrices } from "./knownPrices.js";
import { costOf, createPriceBook } from "./priceBook.js";

const usage = { inputTokens: 1_000_000, outputTokens: 100_000 };
const gpt = { provider: "openai", modelId: "gpt-5" };

describe("a cost", () => {
  it("counts what the cache gave and took at its own price, and nothing twice", () => {
    const price = { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5 };
    expect(costOf(usage, price)).toBeCloseTo(15);
    const cached = { ...usage, cacheReadTokens: 600_000, cacheWriteTokens: 200_000 };
    expect(costOf(cached, price)).toBeCloseTo(2 + 0.6 + 2.5 + 5);
    expect(costOf(cached, { input: 10, output: 50 })).toBeCloseTo(15);
  });

  it("of a long request is that of long requests, from the first token on", () => {
    const price = { input: 1, output: 10, above: { tokens: 200_000, input: 2, output: 20 } };
    expect(costOf({ inputTokens: 200_000, outputTokens: 0 }, price)).toBeCloseTo(0.2);
    expect(costOf({ inputTokens: 200_001, outputTokens: 1_000_000 }, price)).toBeCloseTo(20.400002);
  });
});

describe("a price book", () => {
  const book = createPriceBook(knownPrices);
  const priced = (modelId: string, provider = "openai"): number | undefined =>
    book.priced(usage, { provider, modelId }).costUsd;

  it("believes the provider's own words", () => {
    expect(book.priced({ ...usage, costUsd: 7 }, gpt).costUsd).toBe(7);
  });

  it("knows models with and without the date of their version", () => {
    expect(priced("gpt-5")).toBeCloseTo(2.25);
    expect(priced("gpt-5-2025-08-07")).toBeCloseTo(2.25);
    expect(priced("claude-sonnet-4-5-20250929", "anthropic")).toBeCloseTo(4.5);
    expect(priced("gemini-3.1-pro-preview", "google")).toBeCloseTo(5.8);
    expect(priced("rehearsal", "rehearsal")).toBe(0);
  });

  it("knows no price of a model it does not know, however alike", () => {
    expect(priced("gpt-5-turbo-max")).toBeUndefined();
    expect(priced("claude-sonnet-4-5", "openai")).toBeUndefined();
    expect(priced("toString")).toBeUndefined();
    expect(book.priced(usage, { provider: "openai", modelId: "llama3" })).toBe(usage);
  });

  it("asks who answered where the asked one has no price", () => {
    const auto = { provider: "openai", modelId: "auto" };
    expect(book.priced(usage, auto, "gpt-5").costUsd).toBeCloseTo(2.25);
    expect(book.priced(usage, auto, "llama3").costUsd).toBeUndefined();
  });

  it("takes earlier tables first, and a model's name alone for whoever serves it", () => {
    const own = createPriceBook({ "gpt-5": { input: 1, output: 0 } }, knownPrices);
    expect(own.priced(usage, gpt).costUsd).toBeCloseTo(1);
    expect(own.priced(usage, { provider: "azure", modelId: "gpt-5" }).costUsd).toBeCloseTo(1);
  });
});
