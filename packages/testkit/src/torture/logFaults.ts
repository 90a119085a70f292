/**
 * The faults in the log of a session that is no longer written. Ends are counted from the events
 * themselves, beside the lifecycle checker: neither is trusted alone. It reads no file.
 */
import { parseEventLine, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { awakenedText } from "@callboard/run-log/writing";

export interface ReadLog {
  readonly events: readonly RunEvent[];
  /** Lines that are no events; a line without its line break is one of them. */
  readonly brokenLines: number;
}

/** Whole lines and what is left of one that was cut short. */
export function readLog(text: string): ReadLog {
  const lines = awakenedText(text).split("\n");
  const rest = lines.pop();
  const events: RunEvent[] = [];
  for (const line of lines) {
    const parsed = parseEventLine(line);
    if (parsed.status === "parsed") events.push(parsed.event);
  }
  const cut = rest === "" ? 0 : 1;
  return { events, brokenLines: lines.length - events.length + cut };
}

/** How often each call of the log was opened and closed. */
export function callEnds(
  events: readonly RunEvent[],
): ReadonlyMap<string, { readonly opened: number; readonly closed: number }> {
  const calls = new Map<string, { opened: number; closed: number }>();
  for (const event of events) {
    if (event.type !== "call.opened" && event.type !== "call.closed") continue;
    const call = calls.get(event.callId) ?? { opened: 0, closed: 0 };
    if (event.type === "call.opened") call.opened += 1;
    else call.closed += 1;
    calls.set(event.callId, call);
  }
  return calls;
}

export function openCallCount(events: readonly RunEvent[]): number {
  return [...callEnds(events).values()].filter(({ closed }) => closed === 0).length;
}

export interface LogClaims {
  /** A run that waits for an answer may be open: the process that opens the session next continues with it. */
  readonly mayWait?: boolean;
}

/** Empty when every run and call of the log has its one end and the checker finds nothing. */
export function logFaultsOf(text: string, { mayWait = false }: LogClaims = {}): readonly string[] {
  if (text === "") return [];
  const { events: all, brokenLines } = readLog(text);
  const waiting = mayWait ? parkedRuns(all) : new Set<string>();
  const events = all.filter(({ runId }) => !waiting.has(runId));
  const faults = brokenLines === 0 ? [] : [`${brokenLines} lines of the log are broken`];
  for (const [callId, { opened, closed }] of callEnds(events)) {
    if (opened === 1 && closed === 1) continue;
    faults.push(`call ${callId} was opened ${opened} times and has ${closed} ends`);
  }
  for (const [runId, run] of runsOf(events)) {
    const gap = run.findIndex((event, index) => event.seq !== index + 1);
    if (gap !== -1) faults.push(`run ${runId} has seq ${run[gap]?.seq} in place ${gap + 1}`);
    const end = run.findIndex((event) => event.type === "run.closed");
    if (end === -1) faults.push(`run ${runId} is still open`);
    else if (end < run.length - 1) faults.push(`run ${runId} goes on after its end`);
  }
  const { findings } = checkStream(text, { dialect: "log" });
  for (const { line, rule, message } of findings) faults.push(`line ${line} ${rule}: ${message}`);
  return faults;
}

function parkedRuns(events: readonly RunEvent[]): ReadonlySet<string> {
  const runs = [...runsOf(events)];
  return new Set(
    runs.flatMap(([runId, run]) => (run.at(-1)?.type === "run.parked" ? [runId] : [])),
  );
}

function runsOf(events: readonly RunEvent[]): ReadonlyMap<string, readonly RunEvent[]> {
  const runs = new Map<string, RunEvent[]>();
  for (const event of events) {
    const run = runs.get(event.runId);
    if (run) run.push(event);
    else runs.set(event.runId, [event]);
  }
  return runs;
}
