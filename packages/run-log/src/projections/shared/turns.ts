/**
 * A projection in turns: when the run is parked, or waits for an answer without being parked, the turn ends in the form of
 * its dialect, and the next event starts the next turn. The log and every other surface see one run.
 */
import type { CallState } from "../../log/callState.js";
import type { RunEvent } from "../../log/events/index.js";
import { askingCallsOf, isHeld } from "../../log/questions.js";
import type { RunState } from "../../log/state.js";
import type { Projection, Step } from "./projection.js";

/** How a dialect ends a turn and starts the next one. */
export interface TurnWords<Memory, Output> {
  readonly pause: (
    memory: Memory,
    run: RunState,
    asking: readonly CallState[],
  ) => Step<Memory, Output>;
  readonly resume: (memory: Memory, run: RunState) => readonly Output[];
}

export interface TurnsMemory<Memory> {
  readonly inner: Memory;
  /** The turn has ended and the next one has not started. */
  readonly isPaused: boolean;
  /** The run waits for an answer: also after a background call has started the next turn by its output. */
  readonly isWaiting: boolean;
}

export function inTurns<Memory, Output>(
  projection: Projection<Memory, Output>,
  words: TurnWords<Memory, Output>,
): Projection<TurnsMemory<Memory>, Output> {
  return {
    initial: { inner: projection.initial, isPaused: false, isWaiting: false },
    step(memory, event, change) {
      const { before, after: run } = change;
      const told = projection.step(memory.inner, event, change);
      const held = isHeld(run);
      const isWaiting = held || (run.status === "open" && run.parkedAt !== undefined);
      const startsWait = event.type === "run.parked" || (held && !isHeld(before));
      if (memory.isPaused && told.outputs.length === 0 && !startsWait) {
        return { memory: { inner: told.memory, isPaused: true, isWaiting }, outputs: [] };
      }
      const resumed = memory.isPaused ? words.resume(memory.inner, before) : [];
      const outputs = [...resumed, ...told.outputs];
      if (!startsWait) {
        return { memory: { inner: told.memory, isPaused: false, isWaiting }, outputs };
      }
      const paused = words.pause(told.memory, run, askingCallsOf(run));
      return {
        memory: { inner: paused.memory, isPaused: true, isWaiting },
        outputs: [...outputs, ...paused.outputs],
      };
    },
  };
}

/** A stretch of a log during which its run waits for an answer, parked or held by its process. */
export interface Wait {
  /** The position at which it began to wait. */
  readonly since: number;
  /** The calls that the turn waited for, and their approvals. */
  readonly ids: ReadonlySet<string>;
  /** Whether the log ends while it waits. */
  readonly isLast: boolean;
}

export interface WaitFinder {
  push(event: RunEvent, run: RunState): void;
  readonly waits: readonly Wait[];
}

/** Detects that a run waits. `run` is the run after the event. */
export function createWaitFinder(): WaitFinder {
  const waits: { since: number; ids: ReadonlySet<string>; isLast: boolean }[] = [];
  let wasHeld = false;
  return {
    push(event, run) {
      const held = isHeld(run);
      const startsWait = event.type === "run.parked" || (held && !wasHeld);
      wasHeld = held;
      const last = waits.at(-1);
      if (last) last.isLast = held || (run.status === "open" && run.parkedAt !== undefined);
      if (!startsWait) return;
      if (last) last.isLast = false;
      waits.push({ since: event.seq, ids: askedIdsOf(run), isLast: true });
    },
    get waits() {
      return waits;
    },
  };
}

function askedIdsOf(run: RunState): ReadonlySet<string> {
  return new Set(
    askingCallsOf(run).flatMap((call) =>
      call.status === "awaitingApproval" ? [call.callId, call.approvalId] : [call.callId],
    ),
  );
}
