/**
 * The closings for a run whose process ended: for its running calls, and for the run itself. Questions are not closed: a
 * run that waits for an answer stays open and is parked. It only creates the events; the process that opens the session
 * appends them.
 */
import { decide, evolve, type Intent, type RunEvent, type RunState } from "@callboard/run-log";
import {
  closeLostWork,
  closeOpenWork,
  hasQuestion,
  lastingCallsOf,
} from "@callboard/run-log/writing";
import type { OpenSessionOptions } from "../types/sessions.js";

export const interruptionReason = "the process ended before the run did";
/** What is known of a call that had started then. */
export const unknownEffect =
  "the process ended while the call ran, and whether it had its effect is not known";

/**
 * Empty if nothing is missing: before the start, while it is parked, and after the end. `at` is the time of the log's
 * last event: it is unknown how long the run continued after it, and the time without a process is not counted.
 */
export function interruptionOf(
  state: RunState,
  at: number,
  { keepRunsOpen = false, isCopy = false }: OpenSessionOptions = {},
): readonly RunEvent[] {
  if (isCopy) return [];
  if (state.status !== "open" || state.parkedAt !== undefined) return [];
  const message = interruptionReason;
  const outcome = "interrupted";
  if (lastingCallsOf(state).size > 0) {
    const closings = closeLostWork(state, { at, outcome, message });
    const after = closings.reduce(evolve, state);
    return hasQuestion(after)
      ? [...closings, ...decided(after, { type: "parkRun", at })]
      : closings;
  }
  if (keepRunsOpen) return closeOpenWork(state, { at, outcome, message });
  return decided(state, { type: "closeRun", outcome, reason: message, at });
}

/** The end of an open run and of all that is open in it. `reason` is why its questions get no answer. */
export function interruptionEndingOf(
  state: RunState,
  at: number,
  reason = "something else was asked for instead of an answer",
): readonly RunEvent[] {
  if (state.status !== "open") return [];
  if (!hasQuestion(state)) {
    return decided(state, {
      type: "closeRun",
      outcome: "interrupted",
      reason: interruptionReason,
      at,
    });
  }
  return decided(state, { type: "closeRun", outcome: "cancelled", reason, at });
}

function decided(state: RunState, intent: Intent): readonly RunEvent[] {
  const decision = decide(state, intent);
  if (decision.status === "accepted") return decision.events;
  const { code, message } = decision.refusal;
  throw new Error(`${intent.type} was refused: ${code}: ${message}`);
}
