/**
 * From claims to intents: from one claim and the state of the run, it computes the moves that bring the log there. It is
 * pure and remembers only the ids that it created. `decide` checks whether a move is legal.
 */

import type { Timed } from "../log/intents.js";
import { callOf, type OpenRun, openCallsOf, type RunState } from "../log/state.js";
import { withoutUndefined } from "../values/optional.js";
import {
  aboutCall,
  approvalAnswered,
  approvalAsked,
  callEnded,
  callOpened,
  callProgressed,
  inputAmended,
  inputGiven,
  outputShown,
  startIntentsOf,
} from "./calls.js";
import type { Claim, ClaimOf } from "./claims.js";
import type { IntakeRemark } from "./findings.js";
import { imageShown, messageEnded, placed, textEnded, textGrew, textSaid } from "./places.js";
import { beginsRun, callIdFor, type Narration, type Story, startedRun } from "./story.js";

/** The error type of a call that only the intake closed. */
export const leftOpenError = "left_open";

export function narrated(story: Story, run: RunState, claim: Claim): Narration {
  if (claim.type === "session") return { story: described(story, claim), intents: [], remarks: [] };
  if (claim.type === "recorded") throw new Error("an event is taken as it is, without a narrator");
  if (claim.type === "misread") {
    return { story, intents: [], remarks: [{ code: "malformedLine", message: claim.problem }] };
  }
  if (claim.type === "turnStarted") return turnStarted(story, run, claim);
  if (run.status === "open") return inRun(story, run, claim);
  if (beginsRun(claim, run)) throw new Error("the run must be started before this claim");
  if (claim.type === "callOpened") return { story, intents: [], remarks: [] };
  if (!("call" in claim)) return { story, intents: [], remarks: [] };
  if (claim.type === "callEnded" && isRepeat(story, run, claim)) {
    return { story, intents: [], remarks: [] };
  }
  const message = `${claim.type} outside of a turn`;
  return { story, intents: [], remarks: [{ code: "runClosed", message, callId: claim.call }] };
}

function isRepeat(story: Story, run: RunState, claim: ClaimOf<"callEnded">): boolean {
  const id = callIdFor(story, run, claim.call, true);
  return claim.mayRepeat === true && id !== undefined && callOf(run, id) !== undefined;
}

function described(story: Story, { model, agent }: ClaimOf<"session">): Story {
  return {
    ...story,
    ...withoutUndefined({ model, agent }),
  };
}

type RunClaim = Exclude<Claim, { type: "session" | "turnStarted" | "recorded" | "misread" }>;

function inRun(story: Story, run: OpenRun, claim: RunClaim): Narration {
  switch (claim.type) {
    case "turnEnded":
      return turnEnded(story, run, claim);
    case "messageOpened":
      return placed(story, run, claim);
    case "messageEnded":
      return messageEnded(story, run, claim);
    case "textGrew":
      return textGrew(story, run, claim);
    case "textSaid":
      return textSaid(story, run, claim);
    case "textEnded":
      return textEnded(story, run, claim);
    case "imageShown":
      return imageShown(story, run, claim);
    case "callOpened":
      return callOpened(story, run, claim);
    case "inputGrew": {
      const { text } = claim;
      return aboutCall(story, run, claim.call, ({ id }) => {
        return { intents: [{ type: "appendInput", callId: id, text }] };
      });
    }
    case "inputGiven":
      return aboutCall(story, run, claim.call, (found) => inputGiven(found, claim));
    case "inputAmended":
      return aboutCall(story, run, claim.call, (found) => inputAmended(found, claim));
    case "approvalAsked":
      return aboutCall(story, run, claim.call, (found) => approvalAsked(found, claim));
    case "approvalAnswered":
      return aboutCall(story, run, claim.call, (found) => approvalAnswered(found, claim));
    case "callStarted":
      return aboutCall(story, run, claim.call, (found) => {
        const unknown: Timed = { type: "startCall", callId: found.id };
        return { intents: found.call ? (startIntentsOf(found) ?? []) : [unknown] };
      });
    case "callProgressed":
      return aboutCall(story, run, claim.call, (found) => callProgressed(found, claim));
    case "outputShown":
      return aboutCall(story, run, claim.call, (found) => outputShown(found, claim.text));
    case "callEnded":
      return aboutCall(story, run, claim.call, (found) => callEnded(found, claim), true);
    case "usageReported": {
      const { usage, model } = claim;
      const named = withoutUndefined({ model });
      return { story, intents: [{ type: "reportUsage", usage, ...named }], remarks: [] };
    }
    case "errorReported": {
      const { errorType, message } = claim;
      return { story, intents: [{ type: "reportError", errorType, message }], remarks: [] };
    }
    default:
      return claim satisfies never;
  }
}

/** A turn that starts while another is open ends that one: with calls open it was interrupted. */
function turnStarted(story: Story, run: RunState, claim: ClaimOf<"turnStarted">): Narration {
  const isUntouched = run.status === "open" && run.messages.size === 0 && run.calls.size === 0;
  if (isUntouched) return { story, intents: [], remarks: [] };
  const outcome = openCallsOf(run).length === 0 ? "ok" : "interrupted";
  const before =
    run.status === "open"
      ? turnEnded(story, run, { type: "turnEnded", outcome })
      : { story, intents: [], remarks: [] };
  const next = startedRun(before.story, claim);
  return { ...before, story: next.story, intents: [...before.intents, next.intent] };
}

function turnEnded(story: Story, run: OpenRun, claim: ClaimOf<"turnEnded">): Narration {
  const { outcome, reason } = claim;
  const open = openCallsOf(run).toReversed();
  const message = reason ?? "the turn ended while the call was open";
  const how = outcome === "cancelled" || outcome === "timeout" ? outcome : "interrupted";
  const closings = open.map(
    ({ callId }): Timed => ({
      type: "closeCall",
      callId,
      outcome: how,
      errorType: leftOpenError,
      message,
      metadata: { closedBy: "intake" },
    }),
  );
  const remarks = open.map(
    ({ callId, toolName }): IntakeRemark => ({
      code: "leftOpen",
      message: `${toolName} was never ended; the intake closed it`,
      callId,
    }),
  );
  const end: Timed = {
    type: "closeRun",
    outcome,
    ...withoutUndefined({ reason }),
  };
  return { story, intents: [...closings, end], remarks };
}
