/**
 * The stream or the session file of an agent as a recording. The intake turns its lines into events of our log,
 * and these are folded as a log is; each line of the file stands for the events that it brought.
 */
import { isCallEvent, type RunEvent } from "@callboard/run-log";
import { dialects as checkedDialects, checkStream } from "@callboard/run-log/checker";
import { createIntake, type DialectName, type Taken } from "@callboard/run-log/intake";
import { type Fields, isFields, textIn } from "./fields.js";
import { type Recording, type RecordingReport, recorded } from "./logRecording.js";
import { createBatchFold } from "./logTape.js";
import type { LineFinding } from "./marks.js";
import { fileLinesOf, filledTimes, type Row, rowsOf } from "./recordedRows.js";
import type { LogLine } from "./tape.js";

/** Undefined where no agent is known that writes such lines. */
export function takenRecordingOf(name: string, text: string): Recording | undefined {
  const fileLines = fileLinesOf(text);
  const rows = rowsOf(fileLines);
  const untimed = takenIn(fileLines, rows, () => 0);
  const begun = untimed.batches.flat().find(({ at }) => at > 0)?.at;
  const hasTimes = begun !== undefined;
  // Lines that say no time get that of the first that does; where none does, they are counted.
  const taken = takenIn(fileLines, rows, (index) => begun ?? index);
  const { dialect, batches, ending } = taken;
  if (dialect === undefined) return undefined;
  const times = filledTimes(
    rows.map(({ value }, index) =>
      hasTimes ? (heardIn(value).at ?? batches[index]?.[0]?.at) : index,
    ),
  );
  const lines = rows.map((row, index) => lineOf(row, times[index] ?? 0, batches[index] ?? []));
  const last: LogLine = { at: times.at(-1) ?? 0, type: "end of the file", text: "" };
  return recorded({
    name,
    rows,
    lines: ending.length === 0 ? lines : [...lines, last],
    report: reportOf(text, fileLines.length, dialect, taken),
    hasTimes,
    fold: createBatchFold([...batches, ending]),
  });
}

interface TakenRows {
  readonly dialect: DialectName | undefined;
  /** The events that each row brought. */
  readonly batches: readonly (readonly RunEvent[])[];
  /** The events that close what the stream left open. */
  readonly ending: readonly RunEvent[];
  readonly findings: readonly LineFinding[];
}

/** `clock` gives the time of a row that says none, by its index. */
function takenIn(
  fileLines: readonly string[],
  rows: readonly Row[],
  clock: (index: number) => number,
): TakenRows {
  const batches: RunEvent[][] = rows.map(() => []);
  const findings: LineFinding[] = [];
  let index = 0;
  const intake = createIntake({ sessionId: "recording", clock: () => clock(index), startedAt: 0 });
  const eventsOf = (taken: Taken): readonly RunEvent[] => {
    for (const { code, line, message, callId } of taken.findings)
      findings.push({ rule: code, line, message, ...(callId === undefined ? {} : { callId }) });
    return taken.sessions.flatMap(({ events }) => events);
  };
  for (const [at, line] of fileLines.entries()) {
    if (rows[index + 1]?.number === at + 1) index += 1;
    // The blank line behind a server-sent event brings what the event holds.
    batches[index]?.push(...eventsOf(intake.push(line)));
  }
  const ending = eventsOf(intake.end());
  return { dialect: intake.dialect, batches, ending, findings };
}

/** The checker knows more rules than the intake, for the dialects that it reads. */
function reportOf(
  text: string,
  lines: number,
  dialect: DialectName,
  { batches, findings }: TakenRows,
): RecordingReport {
  const checked = checkedDialects.find((one) => one === dialect);
  if (checked !== undefined) return checkStream(text, { dialect: checked });
  const opened = batches.flat().filter(({ type }) => type === "call.opened");
  return { dialect, lines, calls: opened.length, findings };
}

function lineOf({ text, value }: Row, at: number, events: readonly RunEvent[]): LogLine {
  const event = events.find(isCallEvent);
  return {
    at,
    type: typeOf(heardIn(value).message),
    text,
    ...(event ? { runId: event.runId, callId: event.callId } : {}),
  };
}

/** Whoever records a stream may write each message beside the time when it was heard: `{ t, m }`. */
function heardIn(value: unknown): { readonly message: unknown; readonly at?: number } {
  if (!isFields(value) || !isFields(value.m)) return { message: value };
  const { t, m } = value;
  return typeof t === "number" ? { message: m, at: t } : { message: m };
}

/** What the line calls itself, in the words of its dialect. */
function typeOf(value: unknown): string {
  if (!isFields(value)) return "line";
  const params: Fields = isFields(value.params) ? value.params : {};
  const update: Fields = isFields(params.update) ? params.update : {};
  const names = [update.sessionUpdate, value.method, value.event, value.type, value.stage];
  const name = names.map(textIn).find(Boolean);
  return name ?? ("result" in value ? "answer" : "line");
}
