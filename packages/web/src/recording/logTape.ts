/** The logs of runs as a tape. */
import { createRunFold, type RunFold } from "@callboard/client";
import { isCallEvent, type RunEvent } from "@callboard/run-log";
import { createTape, type LogLine, type Tape, type TapeFold } from "./tape.js";

const lines = new WeakMap<RunEvent, LogLine>();

/** The same line for the same event. It is formatted only when it is shown. */
export function lineOfEvent(event: RunEvent): LogLine {
  const known = lines.get(event);
  if (known) return known;
  const { v: _, runId, seq: __, at, type, ...own } = event;
  const line: LogLine = {
    at,
    type,
    runId,
    ...(isCallEvent(event) ? { callId: event.callId } : {}),
    get text() {
      return JSON.stringify(event);
    },
    get glance() {
      return JSON.stringify(idsLast(own));
    },
  };
  lines.set(event, line);
  return line;
}

/** The content of an event comes before its position. */
function idsLast(fields: object): object {
  const entries = Object.entries(fields);
  const isPlace = ([name]: readonly [string, unknown]): boolean =>
    name === "offset" || name.endsWith("Id");
  return Object.fromEntries([
    ...entries.filter((entry) => !isPlace(entry)),
    ...entries.filter(isPlace),
  ]);
}

export function logTapeOf(events: readonly RunEvent[]): Tape {
  return createTape(events.map(lineOfEvent), createLogFold(events));
}

/** A line that is not an event gives none. */
export function createLogFold(events: readonly (RunEvent | undefined)[]): TapeFold {
  return foldFrom((index) => {
    const event = events[index];
    return event ? [event] : [];
  }, new Map());
}

/** The events that each line brings. */
export function createBatchFold(batches: readonly (readonly RunEvent[])[]): TapeFold {
  return foldFrom((index) => batches[index] ?? [], new Map());
}

function foldFrom(
  eventsOf: (index: number) => readonly RunEvent[],
  begun: ReadonlyMap<string, RunFold>,
): TapeFold {
  const runs = new Map(begun);
  return {
    push(index) {
      for (const event of eventsOf(index)) {
        const run = runs.get(event.runId) ?? createRunFold(event.runId);
        runs.set(event.runId, run);
        run.push(event);
      }
    },
    moment: () => ({
      runs: [...runs.values()],
      tracks: [...runs.values()].flatMap(({ calls }) => [...calls.values()]),
    }),
    copy: () => foldFrom(eventsOf, new Map([...runs].map(([id, run]) => [id, copyOf(run)]))),
  };
}

/** A run that is over shows the same whatever is pushed to it. */
function copyOf(run: RunFold): RunFold {
  return run.view.status === "closed" ? run : run.copy();
}
