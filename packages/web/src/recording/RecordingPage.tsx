/** The recording that an address names: the one that was just opened, or one that this browser has kept. */

import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";
import { keptRecording } from "./keptRecordings.js";
import type { Recording } from "./logRecording.js";
import RecordingView from "./RecordingView.js";
import { recordingOf } from "./recording.js";

export interface OpenedRecording {
  readonly id: string;
  readonly recording: Recording;
}

export interface RecordingPageProps {
  readonly id: string;
  /** The recording that was opened in this tab, if there is one. */
  readonly opened: OpenedRecording | undefined;
  readonly onClose: () => void;
}

export default function RecordingPage({ id, opened, onClose }: RecordingPageProps) {
  const [found, setFound] = useState<OpenedRecording | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const isOpened = opened?.id === id;
  useEffect(() => {
    if (isOpened) return undefined;
    let isWanted = true;
    read(id).then(
      (recording) => isWanted && setFound({ id, recording }),
      (error: unknown) => isWanted && setProblem(messageOfError(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [id, isOpened]);
  const shown = isOpened ? opened : found?.id === id ? found : undefined;
  if (shown) return <RecordingView key={id} recording={shown.recording} onClose={onClose} />;
  return (
    <main className="flex grow flex-col items-start gap-3 p-4">
      {problem === undefined ? (
        <p className="text-quiet">Opening the recording…</p>
      ) : (
        <p role="alert">{problem}</p>
      )}
      <button type="button" className="button" onClick={onClose}>
        To the conversations
      </button>
    </main>
  );
}

async function read(id: string): Promise<Recording> {
  const kept = await keptRecording(id);
  if (!kept) {
    throw new Error("This recording is not kept in this browser. Open the file again.");
  }
  return recordingOf(kept.name, kept.text);
}
