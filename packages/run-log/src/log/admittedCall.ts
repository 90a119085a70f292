/** The fold of one call's events. The law has admitted the event already; this only moves the call. */
import { withoutUndefined } from "../values/optional.js";
import type { CallInput, CallState, Execution } from "./callState.js";
import type { CallEvent, EventOf } from "./events/index.js";
import { withOpen, withSettled } from "./ledger.js";
import { denialText } from "./questions.js";
import { callOf, type OpenRun } from "./state.js";
import { addUsage } from "./usage.js";

export function admittedCall(state: OpenRun, event: CallEvent): OpenRun {
  if (event.type === "call.opened") return withAdmittedCall(state, openedCall(event));
  const call = callOf(state, event.callId);
  if (!call) return state;
  if (event.type === "call.closed") {
    const usage = event.usage ? addUsage(state.usage, event.usage) : state.usage;
    const closed = closedCall(call, event);
    return { ...state, usage, calls: withSettled(state.calls, event.callId, closed) };
  }
  return withAdmittedCall(state, movedCall(call, event));
}

function withAdmittedCall(state: OpenRun, call: CallState): OpenRun {
  return { ...state, calls: withOpen(state.calls, call.callId, call) };
}

function openedCall(event: EventOf<"call.opened">): CallState {
  return {
    status: "inputStreaming",
    inputText: "",
    callId: event.callId,
    messageId: event.messageId,
    toolName: event.toolName,
    toolType: event.toolType,
    openedBy: event.openedBy ?? "model",
    iteration: event.iteration ?? 0,
    openedAt: event.at,
    ...withoutUndefined({ kind: event.kind, parentCallId: event.parentCallId }),
  };
}

function movedCall(
  call: CallState,
  event: Exclude<CallEvent, EventOf<"call.opened" | "call.closed">>,
): CallState {
  switch (event.type) {
    case "call.input.delta":
      if (call.status !== "inputStreaming") return call;
      return { ...call, inputText: call.inputText + event.text };
    case "call.input.closed": {
      if (call.status !== "inputStreaming") return call;
      const { inputText: _, ...identity } = call;
      return { ...identity, status: "ready", input: inputOf(event), waitedMs: 0 };
    }
    case "call.input.amended": {
      if (call.status !== "ready") return call;
      const { input: value, amendedBy: by } = event;
      return { ...call, amendedInput: { value, by }, isAmended: true };
    }
    case "call.approval.asked": {
      if (call.status !== "ready" && call.status !== "running") return call;
      const { approvalId, at: askedAt, expiresAt } = event;
      const asked = { approvalId, askedAt, ...withoutUndefined({ expiresAt }) };
      return { ...withoutAllowance(call), status: "awaitingApproval", ...asked };
    }
    case "call.approval.answered":
      return answeredCall(call, event);
    case "call.run.started": {
      if (call.status !== "ready") return call;
      const execution = {
        startedAt: event.at,
        waitedBefore: call.waitedMs,
        outputText: "",
        retries: 0,
        ...delegationOf(event),
        ...withoutUndefined({ onInterrupted: event.onInterrupted, isDetached: event.detached }),
      };
      return { ...withoutAllowance(call), status: "running", execution };
    }
    case "call.run.progressed":
      return progressedCall(call, event);
    default:
      return event satisfies never;
  }
}

type ReadyOrRunning = Extract<CallState, { status: "ready" | "running" }>;

/** The mark of an allowed or amended call lasts only until the call starts or is asked about again. */
function withoutAllowance(call: ReadyOrRunning): ReadyOrRunning {
  if (call.status === "running") return call;
  const { isAllowed: _, isAmended: __, ...rest } = call;
  return rest;
}

function delegationOf({ delegatedTo: to, expiresAt }: EventOf<"call.run.started">): {
  readonly delegation?: NonNullable<Execution["delegation"]>;
} {
  if (to === undefined) return {};
  return { delegation: expiresAt === undefined ? { to } : { to, expiresAt } };
}

function answeredCall(call: CallState, event: EventOf<"call.approval.answered">): CallState {
  if (call.status !== "awaitingApproval") return call;
  const { approvalId: _, askedAt, expiresAt: __, execution, ...rest } = call;
  const waitedMs = call.waitedMs + Math.max(0, event.at - askedAt);
  if (!event.allowed) {
    const message = event.message ?? denialText(event.answeredBy);
    const refused = { ...rest, status: "refused" as const, message, waitedMs };
    return execution === undefined ? refused : { ...refused, execution };
  }
  return execution === undefined
    ? { ...rest, status: "ready", isAllowed: true, waitedMs }
    : { ...rest, status: "running", waitedMs, execution };
}

function progressedCall(call: CallState, event: EventOf<"call.run.progressed">): CallState {
  if (call.status !== "running") return call;
  const { progress } = event;
  if (progress.type === "output") {
    const outputText = call.execution.outputText + progress.text;
    return { ...call, execution: { ...call.execution, outputText } };
  }
  if (progress.type === "retry") {
    return { ...call, execution: { ...call.execution, retries: call.execution.retries + 1 } };
  }
  return call;
}

export function inputOf(event: EventOf<"call.input.closed">): CallInput {
  if (!event.parsed) return { parsed: false, text: event.text, problem: event.problem };
  const parsed = { parsed: true as const, value: event.input };
  return event.text === undefined ? parsed : { ...parsed, text: event.text };
}

function closedCall(call: CallState, event: EventOf<"call.closed">): CallState {
  const { callId, messageId, toolName, toolType, openedBy, kind, parentCallId, iteration } = call;
  const execution = "execution" in call ? call.execution : undefined;
  const pendingMs = call.status === "awaitingApproval" ? Math.max(0, event.at - call.askedAt) : 0;
  const waitedMs = ("waitedMs" in call ? call.waitedMs : 0) + pendingMs;
  const ranMs = execution
    ? Math.max(0, event.at - execution.startedAt - (waitedMs - execution.waitedBefore))
    : 0;
  return {
    status: "closed",
    ...{ callId, messageId, toolName, toolType, openedBy, iteration, openedAt: call.openedAt },
    ...withoutUndefined({ kind, parentCallId }),
    ...("input" in call && call.input ? { input: call.input } : {}),
    ...("amendedInput" in call && call.amendedInput ? { amendedInput: call.amendedInput } : {}),
    ...(execution === undefined ? {} : { startedAt: execution.startedAt }),
    outcome: event.outcome,
    closedAt: event.at,
    waitedMs,
    ranMs,
    retries: event.retries ?? execution?.retries ?? 0,
  };
}
