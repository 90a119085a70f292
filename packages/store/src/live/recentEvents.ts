/**
 * The last events of the runs that this node wrote last, without gaps. Bounded in runs, in events of a run and in the
 * length of an event: larger ones are read from the table.
 */
import type { RunEvent, RunId } from "@callboard/run-log";

export interface RecentEvents {
  add(runId: RunId, events: readonly RunEvent[]): void;
  /** Empty if nothing is known. */
  of(runId: RunId): readonly RunEvent[];
  drop(runId: RunId): void;
}

const mostRuns = 64;
const mostEvents = 64;
const mostCharacters = 16_384;

export function createRecentEvents(): RecentEvents {
  /** The run that was written longest ago comes first. */
  const runs = new Map<RunId, readonly RunEvent[]>();

  return {
    add(runId, events) {
      const before = runs.get(runId) ?? [];
      runs.delete(runId);
      if (events.length > mostEvents || events.some(isLong)) return;
      const follows = before.at(-1)?.seq === (events[0]?.seq ?? 0) - 1;
      runs.set(runId, [...(follows ? before : []), ...events].slice(-mostEvents));
      if (runs.size <= mostRuns) return;
      const [oldest] = runs.keys();
      if (oldest !== undefined) runs.delete(oldest);
    },
    of: (runId) => runs.get(runId) ?? [],
    drop(runId) {
      runs.delete(runId);
    },
  };
}

function isLong(event: RunEvent): boolean {
  if (event.type === "call.closed") return (event.output?.length ?? 0) > mostCharacters;
  return "text" in event && (event.text?.length ?? 0) > mostCharacters;
}
