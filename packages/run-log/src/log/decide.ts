/**
 * Which moves are legal. `decide` answers an intent with the events to append, or with a refusal and its reason. It
 * changes nothing itself.
 */

import { inEnglish, problemText } from "../values/schemaProblem.js";
import { isAppending } from "./appending.js";
import { stamped } from "./drafts.js";
import { draftsFor } from "./draftsFor.js";
import { type RunEvent, runEventSchema } from "./events/index.js";
import { admit } from "./evolve.js";
import type { Fault, FaultCode } from "./faults.js";
import { appended } from "./grownText.js";
import type { Intent, Timed } from "./intents.js";
import type { RunState } from "./state.js";

/** Why an intent or an event was not accepted. */
export type Refusal = Pick<Fault, "code" | "message" | "callId"> & {
  /** The requested intent, or the event that was to be appended unchanged. */
  readonly intent: Intent["type"] | RunEvent["type"];
};

/** The answer to an intent: the accepted events, or a refusal. */
export type Decision =
  | {
      readonly status: "accepted";
      /** May be empty: appending no text adds nothing to the log. */
      readonly events: readonly RunEvent[];
      /** The state after those events. */
      readonly state: RunState;
    }
  | { readonly status: "refused"; readonly refusal: Refusal };

/** The same as `decide`, for an intent whose time is given apart. */
export function decideAt(state: RunState, intent: Timed, at: number): Decision {
  if (isAppending(intent) && at >= 0 && Number.isFinite(at)) {
    const usual = appended(state, intent, at);
    if (usual) return usual;
  }
  return decide(state, { ...intent, at });
}

/** Answers an intent with the events that it becomes, or with a refusal. */
export function decide(state: RunState, intent: Intent): Decision {
  if (!(intent.at >= 0 && Number.isFinite(intent.at))) {
    return refusedIntent(
      intent,
      "malformed",
      `at must be milliseconds since the epoch, not ${intent.at}`,
    );
  }
  if (intent.type === "startRun") {
    const { type: _, at, runId, ...body } = intent;
    const log = { runId, seq: state.seq };
    return judged(state, intent, stamped(log, at, [{ type: "run.started", ...body }]));
  }
  if (state.status === "unstarted")
    return refusedIntent(intent, "runNotStarted", "start the run first");
  if (state.status === "closed") return refusedIntent(intent, "runClosed", "the run has ended");
  return judged(state, intent, stamped(state, intent.at, draftsFor(state, intent)));
}

/**
 * Takes an event of another log as it is, but for its place: the same law as for an intent, without the
 * closings that an intent implies.
 */
export function decideEvent(state: RunState, event: RunEvent): Decision {
  const runId = state.status === "unstarted" ? event.runId : state.runId;
  if ("from" in event && event.from !== undefined) {
    const { from: _, ...single } = event;
    return judged(state, event, [{ ...single, runId, seq: state.seq + 1 }]);
  }
  return judged(state, event, [{ ...event, runId, seq: state.seq + 1 }]);
}

function judged(
  state: RunState,
  intent: { readonly type: Refusal["intent"] },
  events: readonly RunEvent[],
): Decision {
  let next = state;
  for (const event of events) {
    const admission = admit(next, event);
    const fault = admission.faults[0];
    if (fault) {
      const { ignored: _, ...why } = fault;
      return { status: "refused", refusal: { ...why, intent: intent.type } };
    }
    const problem = malformedBy(event);
    if (problem !== undefined) return refusedIntent(intent, "malformed", problem);
    next = admission.state;
  }
  return { status: "accepted", events, state: next };
}

/** Nothing is written that could not be read again. Deltas are text and numbers of our own making. */
function malformedBy(event: RunEvent): string | undefined {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
    case "call.input.delta":
      return undefined;
    case "call.run.progressed":
      if (event.progress.type === "output") return undefined;
      break;
    default:
  }
  const parsed = runEventSchema.safeParse(event, inEnglish);
  return parsed.success ? undefined : problemText(parsed.error);
}

function refusedIntent(
  intent: { readonly type: Refusal["intent"] },
  code: FaultCode,
  message: string,
): Decision {
  return { status: "refused", refusal: { code, message, intent: intent.type } };
}
