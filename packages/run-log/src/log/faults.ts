/** What can be wrong with an event after a state. */
import { withoutUndefined } from "../values/optional.js";
import type { CallId } from "./ids.js";

/** The rule that was broken. */
export type FaultCode =
  | "malformed"
  | "wrongRun"
  | "repeated"
  | "gap"
  | "runNotStarted"
  | "runAlreadyStarted"
  | "runClosed"
  | "nothingAsked"
  | "callsOpen"
  | "messagesOpen"
  | "messageAlreadyOpened"
  | "unknownMessage"
  | "messageClosed"
  | "messageAlreadyQueued"
  | "messageNotQueued"
  | "messagesQueued"
  | "partsOpen"
  | "partClosed"
  | "partMismatch"
  | "hole"
  | "unknownCall"
  | "callAlreadyOpened"
  | "unknownParent"
  | "parentClosed"
  | "inputOpen"
  | "inputClosed"
  | "inputNotParsed"
  | "alreadyAmended"
  | "approvalPending"
  | "noApprovalPending"
  | "wrongApproval"
  | "callRefused"
  | "alreadyRunning"
  | "notRunning"
  | "childrenOpen"
  | "callClosed";

/** A rule that an event breaks. */
export interface Fault {
  readonly code: FaultCode;
  readonly message: string;
  readonly callId?: CallId;
  /**
   * True if the event changes nothing. A closing that comes too early is still correct, and a gap does not make the next
   * event wrong: those are applied and reported.
   */
  readonly ignored: boolean;
}

/** A fault because of which the event changes nothing. */
export const refusedAs = (code: FaultCode, message: string, callId?: CallId): Fault => ({
  code,
  message,
  ignored: true,
  ...withoutUndefined({ callId }),
});

/** A fault of an event that is applied all the same. */
export const appliedWith = (code: FaultCode, message: string, callId?: CallId): Fault => ({
  ...refusedAs(code, message, callId),
  ignored: false,
});
