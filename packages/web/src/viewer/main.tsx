/** The entry of an exported file: shows the recording in the document. It loads nothing. */
import { CallboardProvider } from "@callboard/client/react";
import { isFields } from "@callboard/run-log/values";
import { createRoot } from "react-dom/client";
import { logRecordingOf } from "../recording/logRecording.js";
import RecordingView from "../recording/RecordingView.js";
import { useTheme } from "../shell/theme.js";

function Viewer({ title, log }: { readonly title: string; readonly log: string }) {
  useTheme();
  return (
    <div className="page-frame">
      <RecordingView recording={logRecordingOf(title, log)} />
    </div>
  );
}

const root = document.getElementById("root");
const stored: unknown = JSON.parse(document.getElementById("recording")?.textContent ?? "{}");
if (!root || !isFields(stored)) throw new Error("the file has lost its recording");
const { title, log } = stored;
// Nothing in it watches, so its board never calls a server.
createRoot(root).render(
  <CallboardProvider>
    <Viewer title={String(title)} log={String(log)} />
  </CallboardProvider>,
);
