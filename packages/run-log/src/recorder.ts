/**
 * The one writer of one run: holds the state, asks `decide`, hands out the events to store.
 * It does no I/O and owns no clock; whoever holds it appends what `record` gives.
 */
import { type Decision, decide } from "./decide.js";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import type { Intent } from "./intents.js";
import { initialState, type RunState } from "./state.js";

/** An intent whose time is read from the recorder's clock. */
export type Timed<Type extends Intent = Intent> = Type extends unknown ? Omit<Type, "at"> : never;

export interface Recorder {
  readonly state: RunState;
  record(intent: Timed): Decision;
}

/** `past` resumes a log that was written before. */
export function createRecorder(clock: () => number, past: Iterable<RunEvent> = []): Recorder {
  let state = initialState;
  for (const event of past) state = evolve(state, event);
  return {
    get state() {
      return state;
    },
    record(intent) {
      const decision = decide(state, { ...intent, at: clock() });
      if (decision.status === "accepted") state = decision.state;
      return decision;
    },
  };
}
