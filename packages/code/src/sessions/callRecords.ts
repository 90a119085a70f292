/** A session as data: its runs, and in each every call with its events and its outcome. Pure. */

import {
  type CallEvent,
  type CallId,
  type CallState,
  callOf,
  evolve,
  initialState,
  isCallEvent,
  type JsonValue,
  type RunEvent,
  type RunOutcome,
  type RunState,
  type Usage,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { isSign } from "@callboard/run-log/writing";

export interface CallRecord {
  readonly callId: string;
  readonly parentCallId?: string;
  readonly tool: string;
  /** `open` when the log holds no closing of it. */
  readonly outcome: string;
  readonly openedAt: number;
  readonly durationMs: number;
  readonly waitedMs: number;
  /** For an open call: its last sign, without heartbeats. */
  readonly lastSignAt?: number;
  readonly input: JsonValue | undefined;
  readonly events: readonly RunEvent[];
}

export interface RunRecord {
  readonly runId: string;
  readonly model: string;
  readonly startedAt: number;
  readonly outcome: RunOutcome | "open";
  readonly usage: Usage | undefined;
  readonly calls: readonly CallRecord[];
}

export function runRecordsOf(events: readonly RunEvent[]): readonly RunRecord[] {
  const runs = new Map<string, { state: RunState; calls: Map<CallId, CallEvent[]> }>();
  for (const event of events) {
    const run = runs.get(event.runId) ?? { state: initialState, calls: new Map() };
    run.state = evolve(run.state, event);
    if (isCallEvent(event)) {
      const known = run.calls.get(event.callId);
      if (known) known.push(event);
      else run.calls.set(event.callId, [event]);
    }
    runs.set(event.runId, run);
  }
  return [...runs].map(([runId, { state, calls }]) => ({
    runId,
    model: state.status === "unstarted" ? "" : state.model,
    startedAt: state.status === "unstarted" ? 0 : state.startedAt,
    outcome: state.status === "closed" ? state.outcome : "open",
    usage: state.status === "unstarted" ? undefined : state.usage,
    calls: [...calls].flatMap(([callId, own]) => {
      const call = callOf(state, callId);
      return call === undefined ? [] : [callRecordOf(call, own)];
    }),
  }));
}

function callRecordOf(call: CallState, events: readonly CallEvent[]): CallRecord {
  const isClosed = call.status === "closed";
  const lastSignAt = isClosed ? undefined : events.findLast(isSign)?.at;
  return {
    callId: call.callId,
    ...withoutUndefined({ parentCallId: call.parentCallId }),
    tool: call.toolName,
    outcome: isClosed ? call.outcome : "open",
    openedAt: call.openedAt,
    durationMs: isClosed ? call.ranMs : 0,
    waitedMs: isClosed ? call.waitedMs : 0,
    ...withoutUndefined({ lastSignAt }),
    input: "input" in call && call.input?.parsed ? call.input.value : undefined,
    events,
  };
}
