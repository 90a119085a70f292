/** The runs of one session through one kind of projection, one run after the other. */
import type { RunEvent } from "@callboard/run-log";
import { createProjector, type Projection, type Projector } from "@callboard/run-log/projections";

export interface SessionProjector<Memory, Output> {
  push(event: RunEvent): readonly Output[];
  /** The current run. */
  readonly current: Projector<Memory, Output>;
}

export function createSessionProjector<Memory, Output>(
  projection: Projection<Memory, Output>,
): SessionProjector<Memory, Output> {
  let current = createProjector(projection);
  return {
    push(event) {
      if (event.type === "run.started") current = createProjector(projection);
      return current.push(event);
    },
    get current() {
      return current;
    },
  };
}
