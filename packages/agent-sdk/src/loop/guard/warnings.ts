/**
 * The warnings that a run received. A guard warns the model first; a violation in a later turn, after the model could
 * read the warning, ends the run. The model reads the result of a call in the next turn, and a message before a turn in
 * that turn. A warning lapses after ten calls without a violation, except if the limit can never be satisfied again.
 */

import type { LimitRequest } from "@callboard/run-log/asking";

export const guardErrorTypes = [
  "repeated_call",
  "loop_detected",
  "rate_limit",
  "call_limit",
  "cost_budget",
  "recursion_depth",
  "turn_limit",
  "run_time",
] as const;
export type GuardErrorType = (typeof guardErrorTypes)[number];

export type GuardVerdict =
  | { readonly status: "pass" }
  /** The call does not run: its result is this error, which contains what to do instead. */
  | { readonly status: "warn"; readonly errorType: GuardErrorType; readonly message: string }
  | { readonly status: "stop"; readonly errorType: GuardErrorType; readonly reason: string }
  /** A person may allow more: nothing was counted, and the guard checks again after the answer. */
  | { readonly status: "ask"; readonly errorType: GuardErrorType; readonly request: LimitRequest };

export interface Warnings {
  /** `turn` is 0 if turns are not counted: then the second violation ends the run at once. */
  violate(errorType: GuardErrorType, turn: number, message: string): GuardVerdict;
  /** The same, before a turn: a warning that answered a call of the previous turn is repeated. */
  violateBefore(errorType: GuardErrorType, turn: number, message: string): GuardVerdict;
  /** A call went through. */
  pass(): void;
}

const lapsing: ReadonlySet<GuardErrorType> = new Set([
  "repeated_call",
  "loop_detected",
  "rate_limit",
]);
const cleanCallsToForget = 10;
/** A model that floods one answer with refused calls is not read to its end. */
const refusalsInOneTurn = 50;

interface Warning {
  readonly turn: number;
  readonly answersCall: boolean;
  refusals: number;
  cleanCalls: number;
}

export function createWarnings(): Warnings {
  const told = new Map<GuardErrorType, Warning>();

  function violate(errorType: GuardErrorType, turn: number, message: string): GuardVerdict {
    const warning = told.get(errorType);
    if (warning === undefined) {
      told.set(errorType, { turn, answersCall: true, refusals: 1, cleanCalls: 0 });
      return { status: "warn", errorType, message };
    }
    warning.refusals += 1;
    warning.cleanCalls = 0;
    if (turn > 0 && warning.turn === turn && warning.refusals <= refusalsInOneTurn) {
      return { status: "warn", errorType, message };
    }
    return { status: "stop", errorType, reason: `${message} The model was warned and continued.` };
  }

  return {
    violate,
    violateBefore(errorType, turn, message) {
      const warning = told.get(errorType);
      const isUnread = warning?.answersCall === true && warning.turn === turn - 1;
      if (warning !== undefined && !isUnread) return violate(errorType, turn, message);
      told.set(errorType, { turn, answersCall: false, refusals: 1, cleanCalls: 0 });
      return { status: "warn", errorType, message };
    },
    pass() {
      for (const [errorType, warning] of told) {
        warning.cleanCalls += 1;
        if (lapsing.has(errorType) && warning.cleanCalls >= cleanCallsToForget)
          told.delete(errorType);
      }
    },
  };
}
