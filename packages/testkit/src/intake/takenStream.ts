/** A whole stream taken in, with what its log holds in a few words. */

import { admit, type Fault, initialState, type RunEvent, type RunState } from "@callboard/run-log";
import {
  createIntake,
  createLineSplitter,
  type DialectName,
  type IntakeFinding,
  leftOpenError,
  type SessionReport,
  type Taken,
} from "@callboard/run-log/intake";
import { withoutUndefined } from "@callboard/run-log/values";

export interface TakenStream {
  readonly dialect: DialectName | undefined;
  readonly events: readonly RunEvent[];
  readonly findings: readonly IntakeFinding[];
  readonly sessions: readonly SessionReport[];
  /** Every run as it folds from its events. */
  readonly runs: ReadonlyMap<string, RunState>;
  /** The faults of the log: none, or the intake is broken. */
  readonly faults: readonly Fault[];
}

export interface TakeOptions {
  readonly dialect?: DialectName;
  readonly sessionId?: string;
}

/** Lines that say no time come at this one. */
export const takenAt = 1_767_323_045_000;

export function takenStream(
  text: string | readonly string[],
  { dialect, sessionId = "stream" }: TakeOptions = {},
): TakenStream {
  const named = withoutUndefined({ dialect });
  const intake = createIntake({ ...named, sessionId, clock: () => takenAt });
  const events: RunEvent[] = [];
  const findings: IntakeFinding[] = [];
  const keep = (taken: Taken): void => {
    for (const session of taken.sessions) for (const event of session.events) events.push(event);
    for (const finding of taken.findings) findings.push(finding);
  };
  if (typeof text === "string") {
    const splitter = createLineSplitter();
    for (const line of [...splitter.push(text), ...splitter.end()]) keep(intake.take(line));
  } else {
    for (const line of text) keep(intake.push(line));
  }
  keep(intake.end());
  const runs = new Map<string, RunState>();
  const faults: Fault[] = [];
  for (const event of events) {
    const admission = admit(runs.get(event.runId) ?? initialState, event);
    for (const fault of admission.faults) faults.push(fault);
    runs.set(event.runId, admission.state);
  }
  return {
    dialect: intake.dialect,
    events,
    findings,
    sessions: intake.sessions(),
    runs,
    faults,
  };
}

/** `Read ok`, `Write interrupted, left open`: every call in the order of its ending. */
export function callsIn({ events }: TakenStream): readonly string[] {
  const tools = new Map<string, string>();
  const ended: string[] = [];
  for (const event of events) {
    if (event.type === "call.opened") {
      const nested = event.parentCallId === undefined ? "" : ` in ${event.parentCallId}`;
      tools.set(event.callId, `${event.toolName}${nested}`);
    }
    if (event.type !== "call.closed") continue;
    const isOurs = event.outcome !== "ok" && event.errorType === leftOpenError;
    ended.push(`${tools.get(event.callId)} ${event.outcome}${isOurs ? ", left open" : ""}`);
  }
  return ended;
}

/** What is wrong with a log that the rules should accept. */
export function lawProblemOf({ runs, faults }: TakenStream): string | undefined {
  const [fault] = faults;
  if (fault) return `${fault.code}: ${fault.message}`;
  for (const [runId, run] of runs) {
    if (run.status !== "closed") return `run ${runId} is ${run.status}`;
    if (run.calls.open.size > 0) return `run ${runId} has open calls`;
  }
  return undefined;
}
