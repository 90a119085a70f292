/** The logs of runs as a tape. */
import { createRunFold, type RunFold } from "@callboard/client";
import { isCallEvent, type RunEvent } from "@callboard/run-log";
import { createTape, type LogLine, type Tape, type TapeFold } from "./tape.js";

const lines = new WeakMap<RunEvent, LogLine>();

/** The same line for the same event. It is written out only where it is looked at. */
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
      return JSON.stringify(own);
    },
  };
  lines.set(event, line);
  return line;
}

export function logTapeOf(events: readonly RunEvent[]): Tape {
  return createTape(events.map(lineOfEvent), createLogFold(events));
}

export function createLogFold(
  events: readonly (RunEvent | undefined)[],
  begun: ReadonlyMap<string, RunFold> = new Map(),
): TapeFold {
  const runs = new Map(begun);
  return {
    push(index) {
      const event = events[index];
      if (!event) return;
      const run = runs.get(event.runId) ?? createRunFold(event.runId);
      runs.set(event.runId, run);
      run.push(event);
    },
    moment: () => ({
      runs: [...runs.values()],
      tracks: [...runs.values()].flatMap(({ calls }) => [...calls.values()]),
    }),
    copy: () => createLogFold(events, new Map([...runs].map(([id, run]) => [id, copyOf(run)]))),
  };
}

/** A run that is over shows the same whatever is pushed to it. */
function copyOf(run: RunFold): RunFold {
  return run.view.status === "closed" ? run : run.copy();
}
