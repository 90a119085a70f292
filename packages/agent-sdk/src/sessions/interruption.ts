/**
 * What is owed to a run whose process died: the closings of what ran in it, and of the run itself. Questions
 * are not owed an end: a run that waits for somebody stays open and is parked. It only makes the events;
 * whoever opens the session appends them.
 */
import {
  decide,
  evolve,
  hasQuestion,
  type Intent,
  lastingCallsOf,
  type RunEvent,
  type RunState,
} from "@callboard/run-log";
import { closeLostWork, closeOpenWork } from "@callboard/run-log/writing";
import type { OpenSessionOptions } from "../types/sessions.js";

export const interruptionReason = "the process ended before the run did";
/** What is known of a call that had begun then. */
export const unknownEffect =
  "the process ended while the call ran, and whether it had its effect is not known";

/**
 * Empty where nothing is owed: before the start, while it is parked, and after the end. `at` is the time of
 * the log's last event: nobody knows how long the run went on after it, and the dead time is not its own.
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
export function endingOf(
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
