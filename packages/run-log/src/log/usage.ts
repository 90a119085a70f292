/** Adding up tokens and cost. A count that no side knows stays absent. */

import { withoutUndefined } from "../values/optional.js";
import type { Usage } from "./events/envelope.js";

function sum(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined && right === undefined ? undefined : plus(left ?? 0, right ?? 0);
}

/** A total never exceeds the largest safe number: a log must be closable whatever its values are. */
function plus(left: number, right: number): number {
  return Math.min(left + right, Number.MAX_SAFE_INTEGER);
}

/** Adds two usages. */
export function addUsage(left: Usage, right: Usage): Usage {
  return {
    inputTokens: plus(left.inputTokens, right.inputTokens),
    outputTokens: plus(left.outputTokens, right.outputTokens),
    ...withoutUndefined({
      cacheReadTokens: sum(left.cacheReadTokens, right.cacheReadTokens),
      cacheWriteTokens: sum(left.cacheWriteTokens, right.cacheWriteTokens),
      reasoningTokens: sum(left.reasoningTokens, right.reasoningTokens),
      costUsd: sum(left.costUsd, right.costUsd),
    }),
  };
}
