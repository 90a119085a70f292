/**
 * The one interface of every surface: `initial` and a pure `step`. Live streaming and replay push events through the
 * same function; there is no second code path.
 */
import type { RunEvent } from "../../log/events/index.js";
import { type Admission, admit } from "../../log/evolve.js";
import { initialState, type RunState } from "../../log/state.js";

export interface Step<Memory, Output> {
  readonly memory: Memory;
  readonly outputs: readonly Output[];
}

/** The run on both sides of one event. It is folded once, for all surfaces. */
export interface RunChange {
  readonly before: RunState;
  readonly after: RunState;
}

/** For a projection that reads events alone, without a fold of the run. */
export const noRun: RunChange = { before: initialState, after: initialState };

export interface Projection<Memory, Output> {
  readonly initial: Memory;
  /** `event` has been admitted: it fits the rules, and a delta holds only what is new. */
  readonly step: (memory: Memory, event: RunEvent, change: RunChange) => Step<Memory, Output>;
}

/** A projection in use: push events of one log, take what the surface shows. */
export interface Projector<Memory, Output> {
  push(event: RunEvent): readonly Output[];
  readonly memory: Memory;
  readonly run: RunState;
}

export function createProjector<Memory, Output>(
  projection: Projection<Memory, Output>,
): Projector<Memory, Output> {
  let run = initialState;
  let memory = projection.initial;
  return {
    push(event) {
      const before = run;
      const admission: Admission = admit(before, event);
      run = admission.state;
      if (admission.event === undefined) return [];
      const step = projection.step(memory, admission.event, { before, after: run });
      memory = step.memory;
      return step.outputs;
    },
    get memory() {
      return memory;
    },
    get run() {
      return run;
    },
  };
}

/** Everything that a log shows on a surface. */
export function project<Memory, Output>(
  projection: Projection<Memory, Output>,
  log: Iterable<RunEvent>,
): readonly Output[] {
  const projector = createProjector(projection);
  const outputs: Output[] = [];
  for (const event of log) outputs.push(...projector.push(event));
  return outputs;
}
