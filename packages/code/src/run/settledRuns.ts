/**
 * The runs of a session for reading: what an ended process left running is closed as interrupted, here alone and not on
 * disk. Open items of a living process, and open questions, stay open.
 */
import { dirname } from "node:path";
import { interruptionOf, livingHolder } from "@callboard/agent-sdk/sessions";
import { evolve, initialState, type RunEvent, type RunState } from "@callboard/run-log";
import { readSessionLog, sessionFileOf } from "./readLog.js";

export interface SettledRuns {
  /** The events of each run, in the order of their starts. */
  readonly runs: readonly (readonly RunEvent[])[];
  /** Whether a living process has the session open. */
  readonly isOpen: boolean;
  readonly warning: string | undefined;
}

export async function readSettledRuns(
  env: Readonly<Record<string, string | undefined>>,
  sessionId: string,
): Promise<SettledRuns> {
  const isOpen = livingHolder(dirname(sessionFileOf(env, sessionId))) !== undefined;
  const { events, warning } = await readSessionLog(env, sessionId);
  return { runs: isOpen ? runsOf(events) : settledRuns(events), isOpen, warning };
}

/** Running calls end with the last event of their run; a run that waits for an answer is parked. */
function settledRuns(events: readonly RunEvent[]): readonly (readonly RunEvent[])[] {
  return runsOf(events).map((run) => {
    const state = run.reduce((before: RunState, event) => evolve(before, event), initialState);
    const lastAt = run.at(-1)?.at ?? 0;
    return state.status === "open"
      ? [...run, ...interruptionOf(state, lastAt, { keepRunsOpen: false })]
      : run;
  });
}

/** The events of each run, in the order of their starts. */
export function runsOf(events: readonly RunEvent[]): readonly (readonly RunEvent[])[] {
  const runs = new Map<string, RunEvent[]>();
  for (const event of events) {
    const run = runs.get(event.runId);
    if (run === undefined) runs.set(event.runId, [event]);
    else run.push(event);
  }
  return [...runs.values()];
}
