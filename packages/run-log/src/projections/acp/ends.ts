/** How a run ends on ACP: why it stopped, and what went wrong. */
import type { EventOf } from "../../log/events/index.js";
import { withoutUndefined } from "../../values/optional.js";
import type { AcpFailure, AcpStopReason, AcpUsage } from "./updates.js";

export interface AcpEnd {
  readonly stopReason: AcpStopReason;
  readonly error?: AcpFailure;
  readonly usage?: AcpUsage;
}

/** The protocol's code for an error inside the agent. */
const internalError = -32603;

/** What is known of a run when it ends. */
export interface EndedRun {
  /** The reason that the last answer of the run's own model gave for its end. */
  readonly finishReason?: string;
  readonly problem?: string;
  /** Whether the run is a command or a tool that the person ran. */
  readonly isPersons?: boolean;
}

export function acpEndOf(event: EventOf<"run.closed">, run: EndedRun): AcpEnd {
  const usage = acpUsageOf(event);
  return { ...stopReasonOf(event, run), ...withoutUndefined({ usage }) };
}

/** Empty if the model was not called, or gave no reason. */
function acpUsageOf({ usage }: EventOf<"run.closed">): AcpUsage | undefined {
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

function stopReasonOf(
  event: EventOf<"run.closed">,
  { finishReason, problem, isPersons = false }: EndedRun,
): AcpEnd {
  const { outcome, reason } = event;
  switch (outcome) {
    case "ok":
      return { stopReason: spokenEnd(finishReason) };
    case "limit":
      return { stopReason: finishReason === "length" ? "max_tokens" : "max_turn_requests" };
    case "cancelled":
    case "interrupted":
      return { stopReason: "cancelled" };
    case "error":
    case "timeout": {
      // The call shows why the person's own command failed; the agent did what it was asked to.
      if (isPersons) return { stopReason: "end_turn" };
      if (isRefusal(finishReason)) return { stopReason: "refusal" };
      const message = problem ?? reason ?? `the run ended: ${outcome}`;
      return { stopReason: "error", error: { code: internalError, message } };
    }
    default:
      return outcome satisfies never;
  }
}

function spokenEnd(finishReason: string | undefined): AcpStopReason {
  if (finishReason === "length") return "max_tokens";
  return isRefusal(finishReason) ? "refusal" : "end_turn";
}

function isRefusal(finishReason: string | undefined): boolean {
  return finishReason !== undefined && refusals.has(finishReason);
}

const refusals: ReadonlySet<string> = new Set(["refusal", "content-filter", "prompt-blocked"]);
