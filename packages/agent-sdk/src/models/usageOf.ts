/** A provider's token counts as the log keeps them. A count that the provider did not give stays absent. */
import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Usage } from "@callboard/run-log";

/** `inputTokens` counts what was read from and written to the cache too. */
export function usageOf(usage: LanguageModelV3Usage): Usage | undefined {
  const { inputTokens: input, outputTokens: output, raw } = usage;
  if (input.total === undefined && output.total === undefined) return undefined;
  return {
    inputTokens: count(input.total) ?? 0,
    outputTokens: count(output.total) ?? 0,
    ...named("cacheReadTokens", count(input.cacheRead)),
    ...named("cacheWriteTokens", count(input.cacheWrite)),
    ...named("reasoningTokens", count(output.reasoning)),
    ...named("costUsd", costOf(raw)),
  };
}

function count(value: number | undefined): number | undefined {
  return value === undefined || !(value >= 0) ? undefined : Math.round(value);
}

function named<Key extends string>(key: Key, value: number | undefined): { [K in Key]?: number };
function named(key: string, value: number | undefined): Record<string, number> {
  return value === undefined ? {} : { [key]: value };
}

function costOf(raw: LanguageModelV3Usage["raw"]): number | undefined {
  const cost = raw?.cost;
  return typeof cost === "number" && cost >= 0 ? cost : undefined;
}
