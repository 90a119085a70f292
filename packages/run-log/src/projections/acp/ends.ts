/** How a run ends on ACP: why it stopped, and what went wrong. */
import type { EventOf } from "../../events/index.js";
import { withoutUndefined } from "../../optional.js";
import type { AcpFailure, AcpStopReason, AcpUsage } from "./updates.js";

export interface AcpEnd {
  readonly stopReason: AcpStopReason;
  readonly error?: AcpFailure;
  readonly usage?: AcpUsage;
}

/** What the protocol calls an error inside the agent. */
const internalError = -32603;

/** `finishReason` is what the last answer of the run's own model said of itself. */
export function endOf(
  event: EventOf<"run.closed">,
  finishReason: string | undefined,
  problem: string | undefined,
): AcpEnd {
  const usage = usageOf(event);
  return { ...reasonOf(event, finishReason, problem), ...(usage === undefined ? {} : { usage }) };
}

/** Nothing where the model was not asked, or said nothing of it. */
function usageOf({ usage }: EventOf<"run.closed">): AcpUsage | undefined {
  const { inputTokens, outputTokens, reasoningTokens, cacheReadTokens, cacheWriteTokens } = usage;
  if (inputTokens + outputTokens === 0) return undefined;
  return {
    ...{ totalTokens: inputTokens + outputTokens, inputTokens, outputTokens },
    ...withoutUndefined({
      thoughtTokens: reasoningTokens,
      cachedReadTokens: cacheReadTokens,
      cachedWriteTokens: cacheWriteTokens,
    }),
  };
}

function reasonOf(
  event: EventOf<"run.closed">,
  finishReason: string | undefined,
  problem: string | undefined,
): AcpEnd {
  const { outcome, reason } = event;
  switch (outcome) {
    case "ok":
      return { stopReason: spokenEnd(finishReason) };
    case "limit":
      return { stopReason: "max_turn_requests" };
    case "cancelled":
    case "interrupted":
      return { stopReason: "cancelled" };
    case "error":
    case "timeout": {
      const message = problem ?? reason ?? `the run ended: ${outcome}`;
      return { stopReason: "error", error: { code: internalError, message } };
    }
    default:
      return outcome satisfies never;
  }
}

function spokenEnd(finishReason: string | undefined): AcpStopReason {
  if (finishReason === "length") return "max_tokens";
  return finishReason === "content-filter" ? "refusal" : "end_turn";
}
