/**
 * What is owed to a run whose process died: the closings of its open calls, parts and messages, and of
 * the run itself. It only makes the events; whoever opens the session appends them.
 */
import { decide, type RunEvent, type RunState } from "@callboard/run-log";

export const interruptionReason = "the process ended before the run did";

/** Empty for a log that never started: nothing of it is open. */
export function interruptionOf(state: RunState, at: number): readonly RunEvent[] {
  if (state.status !== "open") return [];
  const reason = interruptionReason;
  const decision = decide(state, { type: "closeRun", outcome: "interrupted", reason, at });
  if (decision.status === "accepted") return decision.events;
  const { code, message } = decision.refusal;
  throw new Error(`run ${state.runId} cannot be closed: ${code}: ${message}`);
}
