/**
 * List prices of well-known models as of November 2026, in dollars per million tokens, so that a budget works without
 * configuration. `prices` overrides them.
 */
import type { ModelPrice, Prices } from "../types/prices.js";

type Row = readonly [input: number, cacheRead: number, output: number, cacheWrite?: number];

const flat = ([input, cacheRead, output, cacheWrite = input]: Row): ModelPrice => ({
  input,
  output,
  cacheRead,
  cacheWrite,
});

const tiered = (row: Row, tokens: number, above: Row): ModelPrice => ({
  ...flat(row),
  above: { ...flat(above), tokens },
});

const opus = flat([5, 0.5, 25, 6.25]);
const sonnet4 = flat([3, 0.3, 15, 3.75]);
const sonnet5 = flat([2, 0.2, 10, 2.5]);
const geminiPro = tiered([2, 0.2, 12], 200_000, [4, 0.4, 18]);

export const knownPrices: Prices = {
  "anthropic:claude-fable-5-1": flat([10, 0.25, 50, 12.5]),
  "anthropic:claude-fable-5": flat([10, 1, 50, 12.5]),
  "anthropic:claude-opus-5": opus,
  "anthropic:claude-opus-4-8": opus,
  "anthropic:claude-opus-4-7": opus,
  "anthropic:claude-opus-4-6": opus,
  "anthropic:claude-opus-4-5": opus,
  "anthropic:claude-opus-4-1": flat([15, 1.5, 75, 18.75]),
  "anthropic:claude-sonnet-5-5": sonnet5,
  "anthropic:claude-sonnet-5": sonnet5,
  "anthropic:claude-sonnet-4-6": sonnet4,
  "anthropic:claude-sonnet-4-5": sonnet4,
  "anthropic:claude-sonnet-4": sonnet4,
  "anthropic:claude-haiku-4-5": flat([1, 0.1, 5, 1.25]),
  "google:gemini-3.5-flash": flat([1.5, 0.15, 9]),
  "google:gemini-3.1-pro": geminiPro,
  "google:gemini-3-pro": geminiPro,
  "google:gemini-3-flash": flat([0.5, 0.05, 3]),
  "google:gemini-2.5-pro": tiered([1.25, 0.125, 10], 200_000, [2.5, 0.25, 15]),
  "google:gemini-2.5-flash": flat([0.3, 0.03, 2.5]),
  "google:gemini-2.5-flash-lite": flat([0.1, 0.01, 0.4]),
  "openai:gpt-5.6-sol": tiered([5, 0.5, 30, 6.25], 272_000, [10, 1, 45, 12.5]),
  "openai:gpt-5.6-terra": tiered([2, 0.2, 12, 2.5], 272_000, [4, 0.4, 18, 5]),
  "openai:gpt-5.6-luna": tiered([0.2, 0.02, 1.2, 0.25], 200_000, [0.4, 0.04, 1.8, 0.5]),
  "openai:gpt-5.5": tiered([5, 0.5, 30], 272_000, [10, 1, 45]),
  "openai:gpt-5.4": tiered([2.5, 0.25, 15], 272_000, [5, 0.5, 22.5]),
  "openai:gpt-5.4-mini": flat([0.75, 0.075, 4.5]),
  "openai:gpt-5.4-nano": flat([0.2, 0.02, 1.25]),
  "openai:gpt-5.2": flat([1.75, 0.175, 14]),
  "openai:gpt-5.1": flat([1.25, 0.125, 10]),
  "openai:gpt-5": flat([1.25, 0.125, 10]),
  "openai:gpt-5-mini": flat([0.25, 0.025, 2]),
  "openai:gpt-5-nano": flat([0.05, 0.005, 0.4]),
  "openai:gpt-4.1": flat([2, 0.5, 8]),
  "openai:gpt-4.1-mini": flat([0.4, 0.1, 1.6]),
  "openai:gpt-4o": flat([2.5, 1.25, 10]),
  "openai:gpt-4o-mini": flat([0.15, 0.075, 0.6]),
  "openai:o3": flat([2, 0.5, 8]),
  "openai:o4-mini": flat([1.1, 0.275, 4.4]),
  "rehearsal:rehearsal": flat([0, 0, 0]),
};
