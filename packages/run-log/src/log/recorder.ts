/**
 * The one writer of one run: it keeps the state, calls `decide` and returns the events to store. It does no I/O and has
 * no clock; its owner appends what `propose` returns.
 */
import { isAppending } from "./appending.js";
import { type Decision, decideAt, decideEvent } from "./decide.js";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import type { Timed } from "./intents.js";
import { createIntentSanitizer, sanitizedEvent } from "./sanitizedIntents.js";
import { initialState, type RunState } from "./state.js";

/** Writes one log: turns intents into events and keeps the state. */
export interface Recorder {
  readonly state: RunState;
  propose(intent: Timed): Decision;
  /** An event of another log: judged by the same law, and given the next place in this one. */
  adopt(event: RunEvent): Decision;
}

/** `past` resumes a log that was written before. */
export function createRecorder(clock: () => number, past: Iterable<RunEvent> = []): Recorder {
  const sanitized = createIntentSanitizer();
  let state = initialState;
  for (const event of past) state = evolve(state, event);
  return {
    get state() {
      return state;
    },
    adopt(event) {
      const decision = decideEvent(state, sanitizedEvent(event));
      if (decision.status === "accepted") state = decision.state;
      return decision;
    },
    propose(intent) {
      const at = clock();
      if (isAppending(intent) && sanitized.isClean(intent)) {
        const decision = decideAt(state, intent, at);
        if (decision.status === "accepted") state = decision.state;
        return decision;
      }
      const { leftovers, clean, accept } = sanitized.of(intent);
      if (leftovers.length === 0) {
        const decision = decideAt(state, clean, at);
        if (decision.status === "refused") return decision;
        accept();
        state = decision.state;
        return decision;
      }
      const events: RunEvent[] = [];
      let next = state;
      for (const leftover of leftovers) {
        const decision = decideAt(next, leftover, at);
        if (decision.status === "refused") continue;
        next = decision.state;
        events.push(...decision.events);
      }
      const decision = decideAt(next, clean, at);
      if (decision.status === "refused") return decision;
      accept();
      state = decision.state;
      return { ...decision, events: [...events, ...decision.events] };
    },
  };
}
