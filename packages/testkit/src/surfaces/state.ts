/** The fold as a surface: the run, its messages and its calls as they stand at the end of a log. */
import { initialState, type RunState } from "@callboard/run-log";
import type { Projection } from "@callboard/run-log/projections";
import { type Surface, without } from "../surface.js";

const projection: Projection<RunState, never> = {
  initial: initialState,
  step: (_, __, { after }) => ({ memory: after, outputs: [] }),
};

export const stateSurface: Surface<RunState, never> = {
  name: "state",
  projection,
  finalOf: (_, run) => without(run, "seq", "faultCount"),
  shownOf(_, run) {
    if (run.status === "unstarted") return [run];
    const summary = without(run, "messages", "parts", "calls");
    return [summary, ...entriesOf(run.messages), ...entriesOf(run.calls)];
  },
};

function entriesOf<Value>(ledger: {
  readonly open: ReadonlyMap<string, Value>;
  readonly settled: readonly ReadonlyMap<string, Value>[];
}): readonly Value[] {
  return [...ledger.settled, ledger.open].flatMap((entries) => [...entries.values()]);
}
