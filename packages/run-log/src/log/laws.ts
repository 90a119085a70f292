/**
 * The rules: which event may follow which state. `decide` and `evolve` both use them, so they cannot disagree. A fault
 * names the broken rule; this module never throws and never changes anything.
 */
import type { CallState } from "./callState.js";
import { callTable } from "./callTable.js";
import { type CallEvent, type EventOf, isCallEvent, type RunEvent } from "./events/index.js";
import { appliedWith, type Fault, type FaultCode, refusedAs } from "./faults.js";
import type { CallId, MessageId, PartId } from "./ids.js";
import { hasQuestion } from "./questions.js";
import { queuedOf, queueOf } from "./queue.js";
import { callOf, messageOf, type OpenRun, type PartKind, partOf, type RunState } from "./state.js";

const none: readonly Fault[] = [];

/** Everything that is wrong with this event coming after this state; empty when it fits. */
export function faultsOf(state: RunState, event: RunEvent): readonly Fault[] {
  const order = orderFaultOf(state, event);
  if (order?.ignored) return [order];
  const law = lawFaultOf(state, event);
  if (law === undefined) return order === undefined ? none : [order];
  return order === undefined ? [law] : [order, law];
}

function orderFaultOf(state: RunState, event: RunEvent): Fault | undefined {
  if (state.status !== "unstarted" && state.runId !== event.runId) {
    return refusedAs("wrongRun", `event of run ${event.runId} in the log of run ${state.runId}`);
  }
  if (event.seq <= state.seq) {
    return refusedAs("repeated", `seq ${event.seq} was already folded in (now at ${state.seq})`);
  }
  const first = "from" in event && event.from !== undefined ? event.from : event.seq;
  if (first > state.seq + 1) {
    return appliedWith("gap", `seq ${state.seq + 1} to ${first - 1} are missing`);
  }
  return undefined;
}

function lawFaultOf(state: RunState, event: RunEvent): Fault | undefined {
  if (event.type === "run.started") {
    return state.status === "unstarted"
      ? undefined
      : refusedAs("runAlreadyStarted", "a run starts once");
  }
  if (state.status === "unstarted") {
    return refusedAs("runNotStarted", `${event.type} before run.started`);
  }
  if (state.status === "closed") return refusedAs("runClosed", `${event.type} after run.closed`);
  if (isCallEvent(event)) return callFaultOf(state, event);
  switch (event.type) {
    case "run.closed":
      return runClosedFaultOf(state);
    case "run.parked":
      return hasQuestion(state) ? undefined : refusedAs("nothingAsked", "no question is open");
    case "run.resumed":
    case "status.reported":
    case "data.emitted":
    case "error.reported":
    case "usage.reported":
      return undefined;
    case "context.compacted":
      return event.parentCallId && parentFaultOf(state, event.parentCallId);
    case "hook.answered":
      return hookFaultOf(state, event);
    case "message.queued":
      return queuedFaultOf(state, event.messageId);
    case "message.requeued":
    case "message.unqueued":
      return queuedOf(state, event.messageId)
        ? undefined
        : refusedAs("messageNotQueued", `message ${event.messageId} does not wait`);
    case "message.opened":
      if (messageOf(state, event.messageId)) {
        return refusedAs("messageAlreadyOpened", `message ${event.messageId} was opened before`);
      }
      return event.parentCallId && parentFaultOf(state, event.parentCallId);
    case "message.closed":
      return messageFaultOf(state, event.messageId) ?? openPartFaultOf(state, event.messageId);
    case "text.delta":
      return partDeltaFaultOf(state, event, "text");
    case "reasoning.delta":
      return partDeltaFaultOf(state, event, "reasoning");
    case "text.closed":
      return partClosedFaultOf(state, event.messageId, event.partId, "text");
    case "reasoning.closed":
      return partClosedFaultOf(state, event.messageId, event.partId, "reasoning");
    case "image.attached":
      return partClosedFaultOf(state, event.messageId, event.partId, "image");
    default:
      return event satisfies never;
  }
}

function runClosedFaultOf(state: OpenRun): Fault | undefined {
  const call = state.calls.open.keys().next();
  if (!call.done) return appliedWith("callsOpen", `call ${call.value} is open`, call.value);
  const message = state.messages.open.keys().next();
  if (!message.done) return appliedWith("messagesOpen", `message ${message.value} is open`);
  const [waiting] = queueOf(state);
  return waiting && appliedWith("messagesQueued", `message ${waiting.messageId} still waits`);
}

function queuedFaultOf(state: OpenRun, messageId: MessageId): Fault | undefined {
  if (queuedOf(state, messageId)) {
    return refusedAs("messageAlreadyQueued", `message ${messageId} waits already`);
  }
  if (!messageOf(state, messageId)) return undefined;
  return refusedAs("messageAlreadyOpened", `message ${messageId} was opened before`);
}

function messageFaultOf(state: OpenRun, messageId: MessageId): Fault | undefined {
  const message = messageOf(state, messageId);
  if (!message) return refusedAs("unknownMessage", `message ${messageId} was never opened`);
  if (message.status === "open") return undefined;
  return refusedAs("messageClosed", `message ${messageId} is closed`);
}

function openPartFaultOf(
  state: OpenRun,
  messageId: MessageId,
  besides?: PartId,
): Fault | undefined {
  const partId = messageOf(state, messageId)?.openPartId;
  if (partId === undefined || partId === besides) return undefined;
  return appliedWith("partsOpen", `part ${partId} of message ${messageId} is open`);
}

function partDeltaFaultOf(
  state: OpenRun,
  event: EventOf<"text.delta" | "reasoning.delta">,
  kind: PartKind,
): Fault | undefined {
  const fault = partClosedFaultOf(state, event.messageId, event.partId, kind);
  if (fault) return { ...fault, ignored: true };
  const part = partOf(state, event.partId);
  return holeOf(part?.status === "open" ? part.text.length : 0, event.offset);
}

function partClosedFaultOf(
  state: OpenRun,
  messageId: MessageId,
  partId: PartId,
  kind: PartKind,
): Fault | undefined {
  const message = messageFaultOf(state, messageId);
  if (message) return message;
  const part = partOf(state, partId);
  if (part?.status === "closed") return refusedAs("partClosed", `part ${partId} is closed`);
  if (part && (part.kind !== kind || part.messageId !== messageId)) {
    return refusedAs("partMismatch", `part ${partId} is ${part.kind} of message ${part.messageId}`);
  }
  return openPartFaultOf(state, messageId, partId);
}

function holeOf(length: number, offset: number, callId?: CallId): Fault | undefined {
  if (offset <= length) return undefined;
  return refusedAs("hole", `text from ${length} to ${offset} never arrived`, callId);
}

function callFaultOf(state: OpenRun, event: CallEvent): Fault | undefined {
  const call = callOf(state, event.callId);
  const next = callTable[call?.status ?? "absent"][event.type];
  if (typeof next === "string") return callRefusal(next, event, call);
  switch (event.type) {
    case "call.opened":
      return openingFaultOf(state, event);
    case "call.input.delta":
      return call?.status === "inputStreaming"
        ? holeOf(call.inputText.length, event.offset, event.callId)
        : undefined;
    case "call.approval.answered":
      return call?.status === "awaitingApproval" && call.approvalId !== event.approvalId
        ? refusedAs("wrongApproval", `the pending approval is ${call.approvalId}`, event.callId)
        : undefined;
    case "call.input.amended":
      return amendmentFaultOf(call, event.callId);
    case "call.run.started":
    case "call.approval.asked":
      return call?.status === "ready" && !call.input.parsed
        ? refusedAs("inputNotParsed", "its arguments do not parse", event.callId)
        : undefined;
    case "call.run.progressed":
      return call?.status === "running" && event.progress.type === "output"
        ? holeOf(call.execution.outputText.length, event.progress.offset, event.callId)
        : undefined;
    case "call.closed":
      return event.outcome === "ok" && call?.status !== "running"
        ? appliedWith("notRunning", `it is ${call?.status} and cannot end well`, event.callId)
        : childrenFaultOf(state, event.callId);
    case "call.input.closed":
      return undefined;
    default:
      return event satisfies never;
  }
}

/** Once before a question, and once with its answer. */
function amendmentFaultOf(call: CallState | undefined, callId: CallId): Fault | undefined {
  if (call?.status !== "ready") return undefined;
  if (!call.input.parsed) return refusedAs("inputNotParsed", "its arguments do not parse", callId);
  if (!call.isAmended) return undefined;
  return refusedAs("alreadyAmended", "its arguments were changed already", callId);
}

function callRefusal(code: FaultCode, event: CallEvent, call: CallState | undefined): Fault {
  const where = call ? `is ${call.status}` : "was never opened";
  return refusedAs(code, `${event.type}: call ${event.callId} ${where}`, event.callId);
}

function openingFaultOf(state: OpenRun, event: EventOf<"call.opened">): Fault | undefined {
  const parent = event.parentCallId && callOf(state, event.parentCallId);
  const parentFault = event.parentCallId && parentFaultOf(state, event.parentCallId);
  if (parentFault) return parentFault;
  if (parent && parent.messageId === event.messageId) return undefined;
  return messageFaultOf(state, event.messageId) ?? openPartFaultOf(state, event.messageId);
}

function parentFaultOf(state: OpenRun, parentCallId: CallId): Fault | undefined {
  const parent = callOf(state, parentCallId);
  if (!parent) return refusedAs("unknownParent", `parent call ${parentCallId} was never opened`);
  if (parent.status !== "closed") return undefined;
  return refusedAs("parentClosed", `parent call ${parentCallId} is closed`);
}

/** The answer of a hook about a call may come after the call has ended, but never before it was opened. */
function hookFaultOf(state: OpenRun, event: EventOf<"hook.answered">): Fault | undefined {
  const { aboutCallId, parentCallId } = event;
  if (aboutCallId !== undefined && !callOf(state, aboutCallId)) {
    return refusedAs("unknownCall", `call ${aboutCallId} was never opened`, aboutCallId);
  }
  return parentCallId && parentFaultOf(state, parentCallId);
}

function childrenFaultOf(state: OpenRun, callId: CallId): Fault | undefined {
  for (const call of state.calls.open.values()) {
    if (call.parentCallId === callId) {
      return appliedWith("childrenOpen", `its nested call ${call.callId} is open`, callId);
    }
  }
  return undefined;
}
