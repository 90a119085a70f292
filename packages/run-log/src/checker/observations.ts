/**
 * What readers say and the judge understands: facts about calls, parts and turns in words that belong
 * to no dialect. A reader never judges the order of facts; the judge never sees a line.
 */
import type { Evidence } from "../lines/evidence.js";
import type { Payload } from "./report.js";
import type { Remark } from "./rules.js";

/** `scope` tells sessions on one connection apart; it is empty where a stream has only one. */
export interface CallRef {
  readonly scope: string;
  readonly id: string;
}

/** `unstated`: the dialect has no word for it. `missing`: it has one, and the line does not say it. */
export type Outcome = "ok" | "failed" | "cancelled" | "unstated" | "missing";

export type PartKind = "message" | "text" | "reasoning" | "reasoning span" | "step" | "subagent";

interface AboutCall {
  readonly call: CallRef;
}

interface AboutPart {
  readonly kind: PartKind;
  readonly id: string;
}

export type CallObservation = AboutCall &
  (
    | { readonly type: "call.opened" }
    /** Opens the call unless it is known: an upsert, or a line that may be the first. */
    | { readonly type: "call.upserted" }
    /** The stream quotes a call of an earlier one. */
    | { readonly type: "call.recalled"; readonly closed: boolean }
    /** Another vocabulary of the same stream tells this call's life again, from its beginning. */
    | { readonly type: "call.forgotten" }
    | { readonly type: "call.input.delta"; readonly length: number; readonly offset?: number }
    | { readonly type: "call.input.closed" }
    /** `answerVisible`: the recording would show the answer if there were one. */
    | { readonly type: "call.approval.asked"; readonly answerVisible: boolean }
    | { readonly type: "call.approval.answered"; readonly allowed: boolean }
    /** The dialect states the status in so many words, not only by the kind of line. */
    | {
        readonly type: "call.status";
        readonly status: "pending" | "running";
        /** It is only said beside a question. */
        readonly isAside?: true;
      }
    | { readonly type: "call.run.started" }
    /** `output`: the call has produced something, so it must be running. */
    | { readonly type: "call.run.progressed"; readonly output: boolean }
    /** A whole content that replaces the one before it. */
    | { readonly type: "call.content.replaced"; readonly field: string; readonly size: number }
    /** `tentative`: one more closing may confirm it. `evidence` is what speaks against an ok. */
    | {
        readonly type: "call.closed";
        readonly outcome: Outcome;
        readonly tentative?: boolean;
        readonly evidence?: Evidence;
      }
  );

export type PartObservation =
  | ({ readonly type: "part.opened" } & AboutPart)
  | ({ readonly type: "part.continued" } & AboutPart)
  | ({ readonly type: "part.closed" } & AboutPart)
  /** Every part of these kinds must be closed by now. */
  | { readonly type: "parts.settled"; readonly kinds: readonly PartKind[] };

/** How the calls that are still open at a turn's end may be excused. */
export type Excuse =
  | { readonly type: "none" }
  /** The client may be the one to run them, but the stream does not say which. */
  | { readonly type: "unnamed" }
  | { readonly type: "named"; readonly callIds: ReadonlySet<string> };

export type TurnObservation = { readonly scope: string } & (
  | { readonly type: "turn.started"; readonly mayRepeat?: boolean }
  | { readonly type: "turn.cancelRequested" }
  | {
      readonly type: "turn.ended";
      readonly how: "finished" | "cancelled" | "failed";
      readonly excuse: Excuse;
    }
  | { readonly type: "model.spoke" }
);

export type Observation = CallObservation | PartObservation | TurnObservation;

export interface Reading {
  readonly observations: readonly Observation[];
  /** What is wrong with the line by the dialect's own rules, whatever came before. */
  readonly remarks: readonly Remark[];
}

export interface Reader {
  read(payload: Payload): Reading;
  /** What the end of the recording means in this dialect. */
  end(): readonly Observation[];
  /** What is wrong by the dialect's own rules now that nothing follows. */
  endRemarks?(): readonly Remark[];
}

/** What a dialect promises about its streams. */
export interface DialectFacts {
  readonly startRequired: boolean;
  readonly endRequired: boolean;
  /** Arguments have an explicit end, so a result before it is out of order. */
  readonly inputIsClosed: boolean;
}

export const nothing: Reading = { observations: [], remarks: [] };

export const observed = (...observations: readonly Observation[]): Reading => ({
  observations,
  remarks: [],
});

export const remarked = (...remarks: readonly Remark[]): Reading => ({
  observations: [],
  remarks,
});
