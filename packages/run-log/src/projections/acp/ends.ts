/** How a run ends on ACP: why it stopped, and what went wrong. */
import type { EventOf } from "../../events/index.js";
import type { AcpFailure, AcpStopReason } from "./updates.js";

export interface AcpEnd {
  readonly stopReason: AcpStopReason;
  readonly error?: AcpFailure;
}

/** What the protocol calls an error inside the agent. */
const internalError = -32603;

/** `finishReason` is what the last answer of the run's own model said of itself. */
export function endOf(
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
