/** A log of ours as a recording: its events as they are, also those that break a rule. */
import { parseEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import type { DialectName } from "@callboard/run-log/intake";
import { awakenedText } from "@callboard/run-log/writing";
import { createLogFold, lineOfEvent } from "./logTape.js";
import { indexOfLine, type LineFinding, markedLines } from "./marks.js";
import { fileLinesOf, filledTimes, type Row, rowsOf } from "./recordedRows.js";
import { createTape, type LogLine, type Tape, type TapeFold } from "./tape.js";

export interface RecordingReport {
  readonly dialect: DialectName;
  readonly lines: number;
  readonly calls: number;
  readonly findings: readonly LineFinding[];
}

export interface Recording {
  readonly name: string;
  readonly tape: Tape;
  readonly report: RecordingReport;
  /** False if the stream has no times: then a time is the number of a line. */
  readonly hasTimes: boolean;
  /** The position of a line of the file on the tape: blank lines are not on it. */
  readonly indexOf: (line: number) => number;
}

export function logRecordingOf(name: string, given: string): Recording {
  const text = awakenedText(given);
  const rows = rowsOf(fileLinesOf(text));
  const events = rows.map(({ value }) => {
    const answer = parseEvent(value);
    return answer.status === "parsed" ? answer.event : undefined;
  });
  const times = filledTimes(events.map((event) => event?.at));
  const lines = rows.map((row, index) => {
    const event = events[index];
    return event ? lineOfEvent(event) : { at: times[index] ?? 0, type: "line", text: row.text };
  });
  const report = checkStream(text, { dialect: "log" });
  return recorded({ name, rows, lines, report, hasTimes: true, fold: createLogFold(events) });
}

interface Recorded extends Pick<Recording, "name" | "report" | "hasTimes"> {
  readonly rows: readonly Row[];
  /** One for each row, and any that follow the last. */
  readonly lines: readonly LogLine[];
  readonly fold: TapeFold;
}

export function recorded({ name, rows, lines, report, hasTimes, fold }: Recorded): Recording {
  const numbers = rows.map(({ number }) => number);
  const marked = markedLines(lines, numbers, report.findings);
  const indexOf = (line: number): number => indexOfLine(numbers, line);
  return { name, tape: createTape(marked, fold), report, hasTimes, indexOf };
}
