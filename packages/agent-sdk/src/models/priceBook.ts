/**
 * The cost of an answer. A cost from the provider is used as it is; otherwise it is computed from the tokens, if the
 * model's price is known. An unknown cost stays absent: it is never counted as 0.
 */
import type { Usage } from "@callboard/run-log";
import type { ModelPrice, Prices } from "../types/prices.js";

export interface PricedModel {
  readonly provider: string;
  readonly modelId: string;
}

export interface PriceBook {
  /** The usage with its cost. `answeredBy` is the model that the provider names. */
  priced(usage: Usage, model: PricedModel, answeredBy?: string): Usage;
}

/** Earlier tables win over later ones. */
export function createPriceBook(...tables: readonly Prices[]): PriceBook {
  function priceOf(provider: string, modelId: string): ModelPrice | undefined {
    for (const name of namesOf(modelId)) {
      for (const prices of tables) {
        for (const key of [`${provider}:${name}`, name]) {
          if (Object.hasOwn(prices, key)) return prices[key];
        }
      }
    }
    return undefined;
  }

  return {
    priced(usage, { provider, modelId }, answeredBy) {
      if (usage.costUsd !== undefined) return usage;
      const price =
        priceOf(provider, modelId) ??
        (answeredBy === undefined ? undefined : priceOf(provider, answeredBy));
      return price === undefined ? usage : { ...usage, costUsd: costOf(usage, price) };
    },
  };
}

const version = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest|preview(?:-\d{2}-\d{4})?)$/;

/** A dated version costs what its model costs, unless it has a price of its own. */
function namesOf(modelId: string): readonly string[] {
  const plain = modelId.replace(version, "");
  return plain === modelId ? [modelId] : [modelId, plain];
}

/** `inputTokens` counts what the cache gave and took, too. */
export function costOf(usage: Usage, price: ModelPrice): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  const { above } = price;
  const rate = above !== undefined && inputTokens > above.tokens ? above : price;
  const { input, output, cacheRead = input, cacheWrite = input } = rate;
  const plainTokens = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const dollars =
    plainTokens * input +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite +
    outputTokens * output;
  return dollars / 1_000_000;
}
