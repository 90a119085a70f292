/** An opened file: a log of ours, or the stream or session file of any agent that the intake knows. Findings are shown on their lines. */
import { parseEvent } from "@callboard/run-log";
import { logRecordingOf, type Recording } from "./logRecording.js";
import { fileLinesOf, rowsOf } from "./recordedRows.js";
import { takenRecordingOf } from "./takenRecording.js";

/** Throws with a remedy if the text is not a recording that can be shown. */
export function recordingOf(name: string, text: string): Recording {
  const recording = isLog(text) ? logRecordingOf(name, text) : takenRecordingOf(name, text);
  if (recording) return recording;
  throw new Error(
    `Nothing in ${name} can be read as a recording: choose a JSONL or NDJSON file of a Callboard log, or of a stream or session of an agent that \`callboard import\` reads.`,
  );
}

function isLog(text: string): boolean {
  return rowsOf(fileLinesOf(text)).some(({ value }) => parseEvent(value).status === "parsed");
}
