/** Adding up tokens and cost. A count that no side knows stays absent. */
import type { Usage } from "./events/envelope.js";
import { withoutUndefined } from "./optional.js";

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : (left ?? 0) + (right ?? 0);
}

export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...withoutUndefined({
      cacheReadTokens: sum(left.cacheReadTokens, right.cacheReadTokens),
      cacheWriteTokens: sum(left.cacheWriteTokens, right.cacheWriteTokens),
      reasoningTokens: sum(left.reasoningTokens, right.reasoningTokens),
      costUsd: sum(left.costUsd, right.costUsd),
    }),
  };
}
