/**
 * The stream or the session file of an agent as a recording. The intake turns its lines into events of our log, which
 * are folded like a log; each line of the file represents the events that it produced.
 */

import { isCallEvent, type RunEvent } from "@callboard/run-log";
import { checkStream } from "@callboard/run-log/checker";
import { createIntake, type DialectName, type Taken } from "@callboard/run-log/intake";
import { type Fields, isFields } from "@callboard/run-log/values";
import { type Recording, recorded } from "./logRecording.js";
import { createBatchFold } from "./logTape.js";
import { fileLinesOf, filledTimes, type Row, rowsOf } from "./recordedRows.js";
import type { LogLine } from "./tape.js";

/** Undefined if no known agent writes such lines. */
export function takenRecordingOf(name: string, text: string): Recording | undefined {
  const fileLines = fileLinesOf(text);
  const rows = rowsOf(fileLines);
  const untimed = takenIn(fileLines, rows, () => 0);
  const begun = untimed.batches.flat().find(({ at }) => at > 0)?.at;
  const hasTimes = begun !== undefined;
  // Lines without a time get that of the first line with one; if none has a time, they are counted.
  const taken = takenIn(fileLines, rows, (index) => begun ?? index);
  const { dialect, batches, ending } = taken;
  if (dialect === undefined) return undefined;
  const times = filledTimes(
    rows.map(({ value }, index) =>
      hasTimes ? (heardIn(value).at ?? batches[index]?.[0]?.at) : index,
    ),
  );
  const lines = rows.map((row, index) => logLineOf(row, times[index] ?? 0, batches[index] ?? []));
  const last: LogLine = { at: times.at(-1) ?? 0, type: "end of the file", text: "" };
  return recorded({
    name,
    rows,
    lines: ending.length === 0 ? lines : [...lines, last],
    report: checkStream(text, { dialect }),
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
}

/** `clock` returns the time of a row without one, by its index. */
function takenIn(
  fileLines: readonly string[],
  rows: readonly Row[],
  clock: (index: number) => number,
): TakenRows {
  const batches: RunEvent[][] = rows.map(() => []);
  let index = 0;
  const intake = createIntake({ sessionId: "recording", clock: () => clock(index), startedAt: 0 });
  const eventsOf = (taken: Taken): readonly RunEvent[] =>
    taken.sessions.flatMap(({ events }) => events);
  for (const [at, line] of fileLines.entries()) {
    if (rows[index + 1]?.number === at + 1) index += 1;
    // The blank line behind a server-sent event brings what the event holds.
    batches[index]?.push(...eventsOf(intake.push(line)));
  }
  const ending = eventsOf(intake.end());
  return { dialect: intake.dialect, batches, ending };
}

function logLineOf({ text, value }: Row, at: number, events: readonly RunEvent[]): LogLine {
  const event = events.find(isCallEvent);
  return {
    at,
    type: typeOf(heardIn(value).message),
    text,
    ...(event ? { runId: event.runId, callId: event.callId } : {}),
  };
}

/** A recorder of a stream may write each message beside its arrival time: `{ t, m }`. */
function heardIn(value: unknown): { readonly message: unknown; readonly at?: number } {
  if (!isFields(value) || !isFields(value.m)) return { message: value };
  const { t, m } = value;
  return typeof t === "number" ? { message: m, at: t } : { message: m };
}

/** The line's own type, in the terms of its dialect. */
function typeOf(value: unknown): string {
  if (!isFields(value)) return "line";
  const params: Fields = isFields(value.params) ? value.params : {};
  const update: Fields = isFields(params.update) ? params.update : {};
  const names = [update.sessionUpdate, value.method, value.event, value.type, value.stage];
  const name = names.find((one): one is string => typeof one === "string" && one !== "");
  return name ?? ("result" in value ? "answer" : "line");
}
