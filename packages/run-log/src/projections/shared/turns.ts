/**
 * A projection in turns: when the run is parked, waits for an answer without being parked, or idles beside its calls in
 * the background, the turn ends in the form of its dialect, and the next event starts the next turn. The log and every
 * other surface see one run.
 */
import type { CallState } from "../../log/callState.js";
import type { RunEvent } from "../../log/events/index.js";
import { type Idling, idlingAfter, notIdling } from "../../log/idling.js";
import { askingCallsOf, isHeld } from "../../log/questions.js";
import type { RunState } from "../../log/state.js";
import type { Projection, Step } from "./projection.js";

/** How a dialect ends a turn and starts the next one. */
export interface TurnWords<Memory, Output> {
  /** `asking` is empty if the run idles beside its calls in the background. */
  readonly pause: (
    memory: Memory,
    run: RunState,
    asking: readonly CallState[],
  ) => Step<Memory, Output>;
  readonly resume: (memory: Memory, run: RunState) => readonly Output[];
}

export interface TurnsMemory<Memory> extends Pause {
  readonly inner: Memory;
  /** The turn has ended and the next one has not started. */
  readonly isPaused: boolean;
}

/** Whether the run waits: also after a background call has started the next turn by its output. */
interface Pause {
  readonly isWaiting: boolean;
  /** What it waits for: an answer, or else the end of a call in the background. */
  readonly isForAnswer: boolean;
  readonly idling: Idling;
}

const noPause: Pause = { isWaiting: false, isForAnswer: false, idling: notIdling };

function pauseAfter(pause: Pause, event: RunEvent, run: RunState): Pause {
  const idling = idlingAfter(pause.idling, event, run);
  const isForAnswer = isHeld(run) || (run.status === "open" && run.parkedAt !== undefined);
  return { isWaiting: isForAnswer || idling.isIdle, isForAnswer, idling };
}

function startsPause(before: Pause, event: RunEvent, after: Pause): boolean {
  if (event.type === "run.parked") return true;
  return after.isWaiting && (!before.isWaiting || before.isForAnswer !== after.isForAnswer);
}

export function inTurns<Memory, Output>(
  projection: Projection<Memory, Output>,
  words: TurnWords<Memory, Output>,
): Projection<TurnsMemory<Memory>, Output> {
  return {
    initial: { inner: projection.initial, isPaused: false, ...noPause },
    step(memory, event, change) {
      const { before, after: run } = change;
      const told = projection.step(memory.inner, event, change);
      const pause = pauseAfter(memory, event, run);
      const starts = startsPause(memory, event, pause);
      if (memory.isPaused && told.outputs.length === 0 && !starts) {
        return { memory: { ...pause, inner: told.memory, isPaused: true }, outputs: [] };
      }
      const resumed = memory.isPaused ? words.resume(memory.inner, before) : [];
      const outputs = [...resumed, ...told.outputs];
      // Another turn of the person: what a background call printed has started one already.
      const isAsked = pause.idling.answering !== memory.idling.answering && !memory.isPaused;
      if (!starts && !isAsked) {
        return { memory: { ...pause, inner: told.memory, isPaused: false }, outputs };
      }
      const paused = words.pause(told.memory, run, askingCallsOf(run));
      return {
        memory: { ...pause, inner: paused.memory, isPaused: true },
        outputs: [...outputs, ...paused.outputs],
      };
    },
  };
}

/** A stretch of a log during which its run waits: for an answer, parked or held by its process, or for a background call. */
export interface Wait {
  /** The position from which it waits. */
  readonly since: number;
  /** The calls that the turn waited for, and their approvals. None if the run idles beside calls in the background. */
  readonly ids: ReadonlySet<string>;
  /** Whether the log ends while it waits. */
  readonly isLast: boolean;
}

export interface WaitFinder {
  push(event: RunEvent, run: RunState): void;
  readonly waits: readonly Wait[];
  readonly idling: Idling;
  /** The positions of the messages with which the person started another turn in the run. */
  readonly laterTurns: ReadonlyMap<string, number>;
}

/** Detects that a run waits. `run` is the run after the event. */
export function createWaitFinder(): WaitFinder {
  const waits: { since: number; ids: ReadonlySet<string>; isLast: boolean }[] = [];
  const laterTurns = new Map<string, number>();
  let pause = noPause;
  return {
    laterTurns,
    push(event, run) {
      const before = pause;
      pause = pauseAfter(before, event, run);
      const { answering } = pause.idling;
      if (answering !== undefined && answering !== before.idling.answering) {
        laterTurns.set(answering, event.seq);
      }
      const last = waits.at(-1);
      if (last) last.isLast = pause.isWaiting;
      if (!startsPause(before, event, pause)) return;
      if (last) last.isLast = false;
      waits.push({ since: event.seq, ids: askedIdsOf(run), isLast: true });
    },
    get waits() {
      return waits;
    },
    get idling() {
      return pause.idling;
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
