/**
 * A recorded stream that somebody opens: our log, the lines of an HTTP stream, or ACP messages. It is
 * checked and put on a tape; what the checker found stands on the lines where it was found.
 */
import { createStreamFold, parseAgentStreamLine, type StreamFold } from "@callboard/client";
import { parseEvent } from "@callboard/run-log";
import { type CheckReport, checkStream } from "@callboard/run-log/checker";
import { awakenedText } from "@callboard/run-log/writing";
import { type AcpFold, createAcpFold } from "./acpFold.js";
import { type Fields, isFields } from "./fields.js";
import { createLogFold, lineOfEvent } from "./logTape.js";
import { indexOfLine, markedLines } from "./marks.js";
import { createTape, type LogLine, type Tape, type TapeFold } from "./tape.js";

export interface Recording {
  readonly name: string;
  readonly tape: Tape;
  readonly report: CheckReport;
  /** False where the stream tells no times: then what was a time is the number of a line. */
  readonly hasTimes: boolean;
  /** Where a line of the file stands on the tape: blank lines are not on it. */
  readonly indexOf: (line: number) => number;
}

/** Throws with what to do when the text is no recording that can be shown. */
export function recordingOf(name: string, given: string): Recording {
  const text = awakenedText(given);
  const report = checkStream(text);
  const rows = rowsOf(text);
  switch (report.dialect) {
    case "log":
      return logRecording(name, rows, report);
    case "toolEvent":
      return toolEventRecording(name, rows, report);
    case "acp":
      return acpRecording(name, rows, report);
    case "stages":
    case "agUi":
    case "uiMessage":
      throw new Error(
        `${name} is a ${report.dialect} stream. The board shows Callboard logs, tool_event lines and ACP messages; \`callboard check\` reads this one too.`,
      );
    default:
      return report.dialect satisfies never;
  }
}

interface Row {
  /** From 1, as the checker counts. */
  readonly number: number;
  readonly text: string;
  readonly value: unknown;
}

function rowsOf(text: string): readonly Row[] {
  return text.split(/\r\n|\n|\r/).flatMap((raw, index) => {
    const line = raw.replace(/^data: ?/, "").trim();
    if (line === "" || line.startsWith(":") || /^(event|id|retry):/.test(line)) return [];
    return [{ number: index + 1, text: line, value: parsed(line) }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The checker has found it already, and says so on its line.
    return undefined;
  }
}

function logRecording(name: string, rows: readonly Row[], report: CheckReport): Recording {
  const events = rows.map(({ value }) => {
    const answer = parseEvent(value);
    return answer.status === "parsed" ? answer.event : undefined;
  });
  if (events.every((event) => event === undefined)) {
    throw new Error(
      `Nothing in ${name} can be read as a recording: choose a JSONL or NDJSON file.`,
    );
  }
  const times = filledTimes(events.map((event) => event?.at));
  const lines = rows.map((row, index) => {
    const event = events[index];
    return event ? lineOfEvent(event) : plainLine(row, times[index] ?? 0);
  });
  return recorded(name, rows, lines, report, true, createLogFold(events));
}

function toolEventRecording(name: string, rows: readonly Row[], report: CheckReport): Recording {
  const times = filledTimes(rows.map(({ value }) => timestampIn(value)));
  const lines = rows.map((row, index) => ({
    ...plainLine(row, times[index] ?? 0),
    ...callIdIn(row.value),
  }));
  let index = 0;
  const foldOf = (stream: StreamFold): TapeFold => ({
    push(next) {
      index = next;
      const answer = parseAgentStreamLine(rows[next]?.value);
      if (answer.status === "parsed") stream.push(answer.line);
    },
    moment: () => ({ tracks: stream.calls, runs: [] }),
    copy: () => foldOf(stream.copy()),
  });
  const stream = createStreamFold({ runId: "recording", now: () => times[index] ?? 0 });
  return recorded(name, rows, lines, report, true, foldOf(stream));
}

/** Who records ACP may write each message beside the time when it was heard: `{ t, m }`. */
function acpRecording(name: string, rows: readonly Row[], report: CheckReport): Recording {
  const heard = rows.map(({ value }) => heardIn(value));
  const hasTimes = heard.some(({ at }) => at !== undefined);
  const times = hasTimes ? filledTimes(heard.map(({ at }) => at)) : rows.map((_, index) => index);
  const lines = rows.map((row, index) => ({
    ...plainLine(row, times[index] ?? 0),
    ...acpTypeOf(heard[index]?.message),
  }));
  const foldOf = (acp: AcpFold): TapeFold => ({
    push: (index) => acp.push(heard[index]?.message, times[index] ?? 0),
    moment: () => ({ tracks: acp.tracks, runs: [] }),
    copy: () => foldOf(acp.copy()),
  });
  return recorded(name, rows, lines, report, hasTimes, foldOf(createAcpFold()));
}

function heardIn(value: unknown): { readonly message: unknown; readonly at?: number } {
  if (!isFields(value) || "jsonrpc" in value || !isFields(value.m)) return { message: value };
  const { t, m } = value;
  return typeof t === "number" ? { message: m, at: t } : { message: m };
}

function recorded(
  name: string,
  rows: readonly Row[],
  lines: readonly LogLine[],
  report: CheckReport,
  hasTimes: boolean,
  start: TapeFold,
): Recording {
  const numbers = rows.map(({ number }) => number);
  const marked = markedLines(lines, numbers, report.findings);
  const indexOf = (line: number): number => indexOfLine(numbers, line);
  return { name, tape: createTape(marked, start), report, hasTimes, indexOf };
}

function plainLine({ value, text }: Row, at: number): LogLine {
  const type = isFields(value) && typeof value.event === "string" ? value.event : "line";
  return { at, type, text };
}

/** A line without a time has that of the line before it, or the first that is told. */
function filledTimes(times: readonly (number | undefined)[]): readonly number[] {
  let last = times.find((at) => at !== undefined) ?? 0;
  return times.map((at) => {
    last = at ?? last;
    return last;
  });
}

function timestampIn(value: unknown): number | undefined {
  const data = isFields(value) ? value.data : undefined;
  const at = isFields(data) ? data.timestamp : undefined;
  return typeof at === "number" ? at * 1_000 : undefined;
}

function callIdIn(value: unknown): { readonly runId: string; readonly callId: string } | undefined {
  const data = isFields(value) ? value.data : undefined;
  const callId = isFields(data) ? data.call_id : undefined;
  return typeof callId === "string" ? { runId: "recording", callId } : undefined;
}

function acpTypeOf(value: unknown): Partial<LogLine> {
  if (!isFields(value)) return {};
  const params = isFields(value.params) ? value.params : {};
  const update = isFields(params.update) ? params.update : {};
  const { sessionUpdate, toolCallId = askedAbout(params) } = update;
  const type = [sessionUpdate, value.method].find((name) => typeof name === "string") ?? "answer";
  const { sessionId } = params;
  return {
    type,
    ...(typeof toolCallId === "string" && typeof sessionId === "string"
      ? { callId: toolCallId, runId: sessionId }
      : {}),
  };
}

/** The call that a permission is asked for; the second version names it as one of several subjects. */
function askedAbout(params: Fields): unknown {
  const { toolCall } = isFields(params.subject) ? params.subject : params;
  return isFields(toolCall) ? toolCall.toolCallId : undefined;
}
