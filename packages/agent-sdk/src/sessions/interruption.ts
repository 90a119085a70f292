/**
 * What is owed to a run whose process died: the closings of its open calls, parts and messages, and of
 * the run itself. It only makes the events; whoever opens the session appends them.
 */
import { closeOpenWork, decide, type RunEvent, type RunState } from "@callboard/run-log";
import type { OpenSessionOptions } from "../types/sessions.js";

export const interruptionReason = "the process ended before the run did";

/**
 * Empty where nothing is open: before the start, and after the end. `at` is the time of the log's last
 * event: nobody knows how long the run went on after it, and the dead time until now is not its own.
 */
export function interruptionOf(
  state: RunState,
  at: number,
  { keepRunsOpen = false }: OpenSessionOptions = {},
): readonly RunEvent[] {
  if (state.status !== "open") return [];
  const reason = interruptionReason;
  const outcome = "interrupted";
  if (keepRunsOpen) return closeOpenWork(state, { at, outcome, message: reason });
  const decision = decide(state, { type: "closeRun", outcome, reason, at });
  if (decision.status === "accepted") return decision.events;
  const { code, message } = decision.refusal;
  throw new Error(`run ${state.runId} cannot be closed: ${code}: ${message}`);
}
