/**
 * Which moves are legal. `decide` answers an intent with the events to append, or with a refusal
 * that says why. It never changes anything itself.
 */

import { stamped } from "./drafts.js";
import { draftsFor } from "./draftsFor.js";
import type { RunEvent } from "./events/index.js";
import { admit } from "./evolve.js";
import type { Fault, FaultCode } from "./faults.js";
import type { Intent } from "./intents.js";
import type { RunState } from "./state.js";

export type Refusal = Pick<Fault, "code" | "message" | "callId"> & {
  readonly intent: Intent["type"];
};

export type Decision =
  | {
      readonly status: "accepted";
      /** May be empty: appending no text adds nothing to the log. */
      readonly events: readonly RunEvent[];
      /** The state after those events. */
      readonly state: RunState;
    }
  | { readonly status: "refused"; readonly refusal: Refusal };

export function decide(state: RunState, intent: Intent): Decision {
  if (intent.type === "startRun") {
    const { type: _, at, runId, ...body } = intent;
    const log = { runId, seq: state.seq };
    return judged(state, intent, stamped(log, at, [{ type: "run.started", ...body }]));
  }
  if (state.status === "unstarted") return refused(intent, "runNotStarted", "start the run first");
  if (state.status === "closed") return refused(intent, "runClosed", "the run has ended");
  return judged(state, intent, stamped(state, intent.at, draftsFor(state, intent)));
}

function judged(state: RunState, intent: Intent, events: readonly RunEvent[]): Decision {
  let next = state;
  for (const event of events) {
    const admission = admit(next, event);
    const fault = admission.faults[0];
    if (fault) {
      const { ignored: _, ...why } = fault;
      return { status: "refused", refusal: { ...why, intent: intent.type } };
    }
    next = admission.state;
  }
  return { status: "accepted", events, state: next };
}

function refused(intent: Intent, code: FaultCode, message: string): Decision {
  return { status: "refused", refusal: { code, message, intent: intent.type } };
}
