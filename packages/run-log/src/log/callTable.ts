/** The machine of one call as a table: every status, every move. The specification prints it. */
import type { CallStatus } from "./callState.js";
import type { CallEvent } from "./events/index.js";
import type { FaultCode } from "./faults.js";

export type CallMove = CallEvent["type"];

/** The status that a move leads to, or the fault that refuses it. */
export const callTable: Readonly<
  Record<CallStatus | "absent", Readonly<Record<CallMove, readonly CallStatus[] | FaultCode>>>
> = {
  absent: {
    "call.opened": ["inputStreaming"],
    "call.input.delta": "unknownCall",
    "call.input.closed": "unknownCall",
    "call.input.amended": "unknownCall",
    "call.approval.asked": "unknownCall",
    "call.approval.answered": "unknownCall",
    "call.run.started": "unknownCall",
    "call.run.progressed": "unknownCall",
    "call.closed": "unknownCall",
  },
  inputStreaming: {
    "call.opened": "callAlreadyOpened",
    "call.input.delta": ["inputStreaming"],
    "call.input.closed": ["ready"],
    "call.input.amended": "inputOpen",
    "call.approval.asked": "inputOpen",
    "call.approval.answered": "noApprovalPending",
    "call.run.started": "inputOpen",
    "call.run.progressed": "notRunning",
    "call.closed": ["closed"],
  },
  ready: {
    "call.opened": "callAlreadyOpened",
    "call.input.delta": "inputClosed",
    "call.input.closed": "inputClosed",
    "call.input.amended": ["ready"],
    "call.approval.asked": ["awaitingApproval"],
    "call.approval.answered": "noApprovalPending",
    "call.run.started": ["running"],
    "call.run.progressed": "notRunning",
    "call.closed": ["closed"],
  },
  awaitingApproval: {
    "call.opened": "callAlreadyOpened",
    "call.input.delta": "inputClosed",
    "call.input.closed": "inputClosed",
    "call.input.amended": "approvalPending",
    "call.approval.asked": "approvalPending",
    "call.approval.answered": ["ready", "running", "refused"],
    "call.run.started": "approvalPending",
    "call.run.progressed": "approvalPending",
    "call.closed": ["closed"],
  },
  refused: {
    "call.opened": "callAlreadyOpened",
    "call.input.delta": "inputClosed",
    "call.input.closed": "inputClosed",
    "call.input.amended": "callRefused",
    "call.approval.asked": "callRefused",
    "call.approval.answered": "noApprovalPending",
    "call.run.started": "callRefused",
    "call.run.progressed": "callRefused",
    "call.closed": ["closed"],
  },
  running: {
    "call.opened": "callAlreadyOpened",
    "call.input.delta": "inputClosed",
    "call.input.closed": "inputClosed",
    "call.input.amended": "alreadyRunning",
    "call.approval.asked": ["awaitingApproval"],
    "call.approval.answered": "noApprovalPending",
    "call.run.started": "alreadyRunning",
    "call.run.progressed": ["running"],
    "call.closed": ["closed"],
  },
  closed: {
    "call.opened": "callAlreadyOpened",
    "call.input.delta": "callClosed",
    "call.input.closed": "callClosed",
    "call.input.amended": "callClosed",
    "call.approval.asked": "callClosed",
    "call.approval.answered": "callClosed",
    "call.run.started": "callClosed",
    "call.run.progressed": "callClosed",
    "call.closed": "callClosed",
  },
};
