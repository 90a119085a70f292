/**
 * A projection told in turns: where the run waits for someone, the turn ends in the words of its dialect,
 * and the next turn begins with whatever happens then. The log and every other surface see one run.
 */
import type { CallState } from "./callState.js";
import type { RunEvent } from "./events/index.js";
import type { CallId } from "./ids.js";
import type { Projection, Step } from "./projection.js";
import type { RunState } from "./state.js";
import { delegatedCallOf, waitingCallsOf } from "./waiting.js";

/** How a dialect ends a turn and begins the next one. */
export interface TurnWords<Memory, Output> {
  readonly pause: (
    memory: Memory,
    run: RunState,
    waiting: readonly CallState[],
  ) => Step<Memory, Output>;
  readonly resume: (memory: Memory, run: RunState) => readonly Output[];
}

export interface TurnsMemory<Memory> {
  readonly inner: Memory;
  /** Open calls that clients execute. */
  readonly delegated: ReadonlySet<CallId>;
  /** The turn has ended and the next one has not begun. */
  readonly isPaused: boolean;
}

export function inTurns<Memory, Output>(
  projection: Projection<Memory, Output>,
  words: TurnWords<Memory, Output>,
): Projection<TurnsMemory<Memory>, Output> {
  return {
    initial: { inner: projection.initial, delegated: new Set(), isPaused: false },
    step(memory, event, change) {
      const { before, after: run } = change;
      const delegated = delegatedAfter(memory.delegated, event);
      const told = projection.step(memory.inner, event, change);
      if (memory.isPaused && told.outputs.length === 0) {
        return { memory: { ...memory, delegated, inner: told.memory }, outputs: [] };
      }
      const resumed = memory.isPaused ? words.resume(memory.inner, before) : [];
      const outputs = [...resumed, ...told.outputs];
      const waiting = mayPause(memory, event) ? waitingCallsOf(run, delegated) : [];
      if (waiting.length === 0) {
        return { memory: { inner: told.memory, delegated, isPaused: false }, outputs };
      }
      const paused = words.pause(told.memory, run, waiting);
      return {
        memory: { inner: paused.memory, delegated, isPaused: true },
        outputs: [...outputs, ...paused.outputs],
      };
    },
  };
}

/** Deltas never end a turn, so that they cost nothing here. */
function mayPause({ isPaused }: { readonly isPaused: boolean }, event: RunEvent): boolean {
  if (isPaused) return true;
  switch (event.type) {
    case "message.closed":
    case "call.approval.asked":
    case "call.approval.answered":
    case "call.run.started":
    case "call.closed":
      return true;
    case "call.run.progressed":
      return event.progress.type === "step";
    default:
      return false;
  }
}

function delegatedAfter(before: ReadonlySet<CallId>, event: RunEvent): ReadonlySet<CallId> {
  const callId = delegatedCallOf(event);
  if (callId !== undefined) return new Set([...before, callId]);
  if (event.type !== "call.closed" || !before.has(event.callId)) return before;
  return new Set([...before].filter((one) => one !== event.callId));
}

/** A stretch of a log during which its run waits. */
export interface Wait {
  /** The position at which it began to wait. */
  readonly since: number;
  /** The calls that were waited for, and the approvals that they ask. */
  readonly ids: ReadonlySet<string>;
  /** Whether the log ends while it waits. */
  readonly isLast: boolean;
}

export interface WaitFinder {
  push(event: RunEvent, run: RunState): void;
  readonly waits: readonly Wait[];
}

/** Finds where a run waited, and where it waits now. `run` is the run after the event. */
export function createWaitFinder(): WaitFinder {
  const waits: { since: number; ids: Set<string>; isLast: boolean }[] = [];
  let delegated: ReadonlySet<CallId> = new Set();
  let isWaiting = false;
  return {
    push(event, run) {
      delegated = delegatedAfter(delegated, event);
      if (!mayPause({ isPaused: isWaiting }, event)) return;
      const calls = waitingCallsOf(run, delegated);
      const last = waits.at(-1);
      if (isWaiting && last) last.isLast = calls.length > 0;
      if (!isWaiting && calls.length > 0) {
        waits.push({ since: event.seq, ids: new Set(), isLast: true });
      }
      isWaiting = calls.length > 0;
      for (const call of calls) {
        waits.at(-1)?.ids.add(call.callId);
        if (call.status === "awaitingApproval") waits.at(-1)?.ids.add(call.approvalId);
      }
    },
    get waits() {
      return waits;
    },
  };
}
