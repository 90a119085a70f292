/**
 * The state that the guards would have if they had seen a run from its start, read from its log. For a process that
 * resumes a run: limits count the whole run, not only the part in this process.
 */
import {
  type CallId,
  evolve,
  initialState,
  type JsonValue,
  type RunEvent,
  type RunState,
} from "@callboard/run-log";
import { type LimitName, type LimitRequest, limitRequestIn } from "@callboard/run-log/asking";
import { continuedStatus } from "@callboard/run-log/projections";
import { isWaiting } from "@callboard/run-log/writing";

export interface PastCall {
  readonly toolName: string;
  readonly input: JsonValue;
  /** Made by the run's own agent, not by a nested one. */
  readonly isOwn: boolean;
  /** The turn that made it, from 1. */
  readonly turn: number;
  readonly at: number;
  /** How it ended; `errorType` may be that of a guard, which then did not let it through. */
  readonly errorType: string | undefined;
  readonly output: string;
}

export interface GuardedPast {
  /** The answers of each agent: of the run's own, and of nested ones by the call that they work for. */
  readonly turns: ReadonlyMap<CallId | undefined, number>;
  readonly calls: readonly PastCall[];
  /** How long the run was worked on: without the time in which no process had it, or everything in it waited. */
  readonly elapsedMs: number;
  /** What persons allowed beyond the limits, and which limits they refused to raise. */
  readonly granted: readonly Pick<LimitRequest, "limit" | "more">[];
  readonly denied: readonly LimitName[];
}

type OpenCall = Pick<PastCall, "toolName" | "isOwn" | "turn" | "at"> & {
  readonly isOfLimit: boolean;
  input?: JsonValue;
};

const unknownCall: OpenCall = { toolName: "", isOwn: false, isOfLimit: false, turn: 0, at: 0 };

export function guardedPast(events: readonly RunEvent[]): GuardedPast {
  const open = new Map<CallId, OpenCall>();
  const calls: PastCall[] = [];
  const turns = new Map<CallId | undefined, number>();
  const granted: LimitRequest[] = [];
  const denied: LimitName[] = [];
  let state: RunState = initialState;
  let isParked = false;
  let elapsedMs = 0;
  let last: number | undefined;
  for (const event of events) {
    const isContinuation = event.type === "status.reported" && event.status === continuedStatus;
    if (last !== undefined && !isContinuation && !isParked && !isWaiting(state))
      elapsedMs += Math.max(0, event.at - last);
    last = event.at;
    state = evolve(state, event);
    isParked = event.type === "run.parked" || (isParked && event.type.startsWith("message."));
    if (event.type === "message.opened") {
      const { role, parentCallId: agent } = event;
      if (role === "assistant") turns.set(agent, (turns.get(agent) ?? 0) + 1);
    } else if (event.type === "call.opened") {
      const { toolName, at } = event;
      const isOwn = event.parentCallId === undefined;
      const isOfLimit = event.openedBy === "limit";
      // The message with a limit's question is not an answer of a model.
      if (isOfLimit) turns.set(undefined, (turns.get(undefined) ?? 1) - 1);
      const turn = turns.get(undefined) ?? 0;
      open.set(event.callId, { toolName, isOwn, isOfLimit, turn, at });
    } else if (event.type === "call.input.closed") {
      const call = open.get(event.callId);
      if (call !== undefined && event.parsed) call.input = event.input;
    } else if (event.type === "call.input.amended") {
      const call = open.get(event.callId);
      if (call?.isOfLimit) call.input = event.input;
    } else if (event.type === "call.closed") {
      const { input, isOfLimit, ...call } = open.get(event.callId) ?? unknownCall;
      if (input === undefined) continue;
      if (isOfLimit) {
        const request = limitRequestIn(input);
        if (request === undefined) continue;
        if (event.outcome === "ok") granted.push(request);
        else denied.push(request.limit);
        continue;
      }
      const end =
        event.outcome === "ok"
          ? { errorType: undefined, output: event.output }
          : { errorType: event.errorType, output: event.message };
      calls.push({ ...call, input, ...end });
    }
  }
  return { turns, calls, elapsedMs, granted, denied };
}
