/** The token counts of a provider whose totals include the cached and the reasoning tokens, in the form of a language model. */
import type { LanguageModelV3Usage } from "@ai-sdk/provider";
import type { JsonObject } from "@callboard/run-log";
import { rawCounts } from "../utils/jsonFields.js";

interface TokenCounts {
  readonly input: number | undefined;
  readonly read: number | undefined;
  readonly written?: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/** `usage` is the provider's own object, which is kept beside the counts. */
export function countedUsage(
  { input, read, written, output, reasoning }: TokenCounts,
  usage: JsonObject | undefined,
): LanguageModelV3Usage {
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (read ?? 0),
      cacheRead: read,
      cacheWrite: written,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : output - (reasoning ?? 0),
      reasoning,
    },
    ...(usage === undefined ? {} : { raw: rawCounts(usage) }),
  };
}
