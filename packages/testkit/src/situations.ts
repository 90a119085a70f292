/**
 * Given–when–then for run-log: small runs built by intents, one for each status of a call, and the result of a decision
 * in a readable form.
 */
import {
  approvalId,
  type CallStatus,
  callId,
  conversationId,
  type Decision,
  decide,
  evolve,
  type FaultCode,
  initialState,
  messageId,
  type RunEvent,
  type RunState,
  runId,
  type Timed,
} from "@callboard/run-log";

/** Every intent of a situation happens at this time, unless its test sets another time. */
export const situationTime = 1_000;
export const theMessage = messageId("m1");
export const theCall = callId("c1");
export const theApproval = approvalId("ask1");

/** The intents that lead one call through its life, in order. */
export const usual = {
  startRun: {
    type: "startRun",
    runId: runId("r1"),
    conversationId: conversationId("conv"),
    model: "rehearsal",
  },
  openMessage: { type: "openMessage", messageId: theMessage, role: "assistant" },
  openCall: {
    type: "openCall",
    callId: theCall,
    messageId: theMessage,
    toolName: "Read",
    toolType: "local",
  },
  closeInput: { type: "closeInput", callId: theCall, text: "{}" },
  amendInput: { type: "amendInput", callId: theCall, input: { path: "b" }, amendedBy: "user" },
  askApproval: { type: "askApproval", callId: theCall, approvalId: theApproval, options: [] },
  allow: {
    type: "answerApproval",
    callId: theCall,
    approvalId: theApproval,
    allowed: true,
    answeredBy: "user",
  },
  deny: {
    type: "answerApproval",
    callId: theCall,
    approvalId: theApproval,
    allowed: false,
    answeredBy: "user",
  },
  startCall: { type: "startCall", callId: theCall },
  print: { type: "progressCall", callId: theCall, progress: { type: "output", text: "half" } },
  closeCall: { type: "closeCall", callId: theCall, outcome: "ok", output: "" },
  closeRun: { type: "closeRun", outcome: "ok" },
} as const satisfies Readonly<Record<string, Timed>>;

export function when(state: RunState, intent: Timed, at = situationTime): Decision {
  return decide(state, { ...intent, at });
}

/** The state after these intents; one that is refused is a mistake of the test. */
export function given(...intents: readonly Timed[]): RunState {
  return intents.reduce<RunState>((state, intent) => {
    const decision = when(state, intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    return decision.state;
  }, initialState);
}

export function eventsOf(decision: Decision): readonly RunEvent[] {
  return decision.status === "accepted" ? decision.events : [];
}

/** The events without their stamps, or the code of the refusal. */
export function decisionResult(decision: Decision): FaultCode | readonly object[] {
  return decision.status === "refused" ? decision.refusal.code : bodiesOf(decision.events);
}

export function bodiesOf(events: readonly RunEvent[]): readonly object[] {
  return events.map(({ v: _, runId: __, seq: ___, at: ____, ...body }) => body);
}

const opened = [usual.startRun, usual.openMessage, usual.openCall] as const;
const ready = [...opened, usual.closeInput] as const;

/** A denial closes in the same step; only a crash between its two events leaves a refused call. */
function refusedCall(): RunState {
  const state = given(...ready, usual.askApproval);
  const [denied] = eventsOf(when(state, usual.deny));
  return denied ? evolve(state, denied) : state;
}

export const situations: Readonly<Record<CallStatus | "absent", RunState>> = {
  absent: given(usual.startRun, usual.openMessage),
  inputStreaming: given(...opened),
  ready: given(...ready),
  awaitingApproval: given(...ready, usual.askApproval),
  refused: refusedCall(),
  running: given(...ready, usual.startCall),
  closed: given(...ready, usual.startCall, usual.closeCall),
};

export const callStatuses = [
  "absent",
  "inputStreaming",
  "ready",
  "awaitingApproval",
  "refused",
  "running",
  "closed",
] as const satisfies readonly (CallStatus | "absent")[];
