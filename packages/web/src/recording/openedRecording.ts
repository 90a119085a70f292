/** Opens a file: it is read, and stored in this browser if the browser allows it. */
import { messageOfError } from "@callboard/run-log/values";
import { keepRecording, newRecordingId } from "./keptRecordings.js";
import type { OpenedRecording } from "./RecordingPage.js";
import { recordingOf } from "./recording.js";

export interface Opening {
  readonly recording: OpenedRecording;
  /** Why a reload will not find it. */
  readonly warning: string | undefined;
}

export async function openedRecording(file: File): Promise<Opening> {
  const text = await file.text();
  const id = newRecordingId(Date.now());
  const recording = { id, recording: recordingOf(file.name, text) };
  try {
    await keepRecording({ id, name: file.name, text });
    return { recording, warning: undefined };
  } catch (error) {
    const warning = `The browser does not keep this recording (${messageOfError(error)}): reloading the page loses it.`;
    return { recording, warning };
  }
}
