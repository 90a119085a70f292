/**
 * The observations that readers pass to the judge: facts about calls, parts and turns in terms that belong to no
 * dialect. A reader never judges the order of facts; the judge never sees a line.
 */
import type { Evidence } from "../lines/evidence.js";
import type { Payload } from "./report.js";
import { type Remark, violation } from "./rules.js";

/** `scope` distinguishes the sessions on one connection; it is empty if a stream has only one. */
export interface CallRef {
  readonly scope: string;
  readonly id: string;
}

/** `unstated`: the dialect has no word for it. `missing`: it has one, and the line does not contain it. */
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
    /** `isAside`: only a question mentions it. */
    | { readonly type: "call.upserted"; readonly isAside?: true }
    /** The stream quotes a call of an earlier one. */
    | { readonly type: "call.recalled"; readonly closed: boolean }
    /** Another vocabulary of the same stream repeats the lifecycle of this call from its start. */
    | { readonly type: "call.forgotten" }
    | { readonly type: "call.input.delta"; readonly length: number; readonly offset?: number }
    | { readonly type: "call.input.closed" }
    /** `answerVisible`: the recording would show the answer if there were one. */
    | {
        readonly type: "call.approval.asked";
        readonly answerVisible: boolean;
        /** The question contains the call: a client may know the call from there alone. */
        readonly introduces?: true;
      }
    | { readonly type: "call.approval.answered"; readonly allowed: boolean }
    /** The dialect states the status in so many words, not only by the kind of line. */
    | {
        readonly type: "call.status";
        readonly status: "pending" | "running";
        /** It is only mentioned beside a question. */
        readonly isAside?: true;
      }
    | { readonly type: "call.run.started" }
    /** `output`: the call has produced something, so it must be running. */
    | { readonly type: "call.run.progressed"; readonly output: boolean }
    /** A whole content that replaces the one before it. */
    | { readonly type: "call.content.replaced"; readonly field: string; readonly size: number }
    /** `tentative`: one more closing may confirm it. `evidence` contradicts an ok. */
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
  /** Violations of the dialect's own rules in this line, independent of the lines before it. */
  readonly remarks: readonly Remark[];
}

export interface Reader {
  read(payload: Payload): Reading;
  /** The meaning of the end of the recording in this dialect. */
  end(): readonly Observation[];
  /** Violations of the dialect's own rules that are certain once no line follows. */
  endRemarks?(): readonly Remark[];
}

/** The guarantees of a dialect about its streams. */
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

/** A line without a field that it must have. */
export function missing(what: string, field: string): Reading {
  return remarked(violation("missing-field", `${what} without ${field}`));
}
