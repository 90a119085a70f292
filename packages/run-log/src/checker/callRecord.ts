/**
 * What the judge remembers of one call.
 *
 * input ──input closed──▶ ready ──execution started──▶ running ──closed──▶ closed
 *
 * A dialect that has no line for one of these moments skips it. Records are mutable and belong to the
 * judge alone; nothing here reports.
 */
import type { Outcome } from "./observations.js";
import { createResending, type Resending } from "./resending.js";
import type { RuleName } from "./rules.js";

export type Phase = "input" | "ready" | "running" | "closed";

export interface CallRecord {
  readonly id: string;
  phase: Phase;
  /** The offset at which the next argument delta should start, in dialects that have offsets. */
  inputLength: number;
  /** Nothing but questions contained it so far. */
  isOnlyAsked: boolean;
  approval: "none" | "asked" | "unseen" | "allowed" | "denied";
  outcome: Outcome | undefined;
  /** The closing may be confirmed by one more. */
  tentative: boolean;
  closedAtLine: number;
  /** Its turn ended while it was open, and that was reported. */
  late: boolean;
  /** Its turn may end without it: it waits for the client or comes from an earlier stream. */
  excused: boolean;
  readonly resending: Resending;
  /** Rules that are reported only once for each call. */
  readonly reported: Set<RuleName>;
}

export function createCallRecord(id: string): CallRecord {
  return {
    id,
    phase: "input",
    inputLength: 0,
    isOnlyAsked: false,
    approval: "none",
    outcome: undefined,
    tentative: false,
    closedAtLine: 0,
    late: false,
    excused: false,
    resending: createResending(),
    reported: new Set(),
  };
}
