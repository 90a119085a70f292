/**
 * Whom a run waits for. A run waits when one of its calls asks a person or is executed by a client, and
 * nothing else in it can go on. Pure: the same at every reader of the same log.
 */
import type { CallState } from "./callState.js";
import type { RunEvent } from "./events/index.js";
import type { CallId } from "./ids.js";
import { messageOf, openCallsOf, type RunState } from "./state.js";

/** The step with which a running call says that a client executes it. */
export const delegatedStep = "delegated";

/** The call that this event hands to a client. */
export function delegatedCallOf(event: RunEvent): CallId | undefined {
  if (event.type === "call.run.started") {
    return event.delegatedTo === undefined ? undefined : event.callId;
  }
  if (event.type !== "call.run.progressed" || event.progress.type !== "step") return undefined;
  const { step, data } = event.progress;
  return step === delegatedStep && data?.delegated_to !== undefined ? event.callId : undefined;
}

/**
 * The calls that somebody has to answer before the run goes on; none while anything else in it can go
 * on. `delegated` are the calls that clients execute. A call that is ready waits for its turn.
 */
export function waitingCallsOf(
  run: RunState,
  delegated: ReadonlySet<CallId>,
): readonly CallState[] {
  if (run.status !== "open" || isAnswering(run)) return [];
  const open = openCallsOf(run);
  const isAsking = (call: CallState): boolean =>
    call.status === "awaitingApproval" || (call.status === "running" && delegated.has(call.callId));
  const asking = open.filter(isAsking);
  if (asking.length === 0) return [];
  const owners = new Set(open.map((call) => parentOf(run, call)));
  const isHeld = (call: CallState): boolean =>
    isAsking(call) ||
    call.status === "ready" ||
    (call.status === "running" && owners.has(call.callId));
  return open.every(isHeld) ? asking : [];
}

function isAnswering(run: Extract<RunState, { status: "open" }>): boolean {
  return [...run.messages.open.values()].some(({ role }) => role === "assistant");
}

function parentOf(run: RunState, { parentCallId, messageId }: CallState): CallId | undefined {
  return parentCallId ?? messageOf(run, messageId)?.parentCallId;
}
