/** Everything that the calls changed in files, as one diff: each file once, with the calls that changed it. */
import type { CallTrack } from "@callboard/run-log/projections";
import { useMemo } from "react";
import { DiffView } from "../calls/DiffView.js";
import { countText } from "../values/countText.js";
import { Icon } from "../values/Icon.js";
import { visibleText } from "../values/visibleText.js";
import { commonFolder, fileChangesOf } from "./changes.js";
import type { CallKey } from "./trackKey.js";

export interface ChangesViewProps {
  readonly tracks: readonly CallTrack[];
  readonly onSelect: (call: CallKey) => void;
}

export default function ChangesView({ tracks, onSelect }: ChangesViewProps) {
  const changes = useMemo(() => fileChangesOf(tracks), [tracks]);
  if (changes.length === 0) {
    return (
      <div className="grid grow place-items-center p-6 text-center text-quiet text-sm">
        <div className="max-w-xs space-y-2">
          <Icon name="edit" className="mx-auto size-6" />
          <p>No file was changed by a tool that says how. Commands may have changed some.</p>
        </div>
      </div>
    );
  }
  const files = new Set(changes.map(({ diff }) => diff.path));
  const folder = commonFolder([...files]);
  return (
    <div className="min-h-0 grow overflow-y-auto px-3 py-2" data-changes="">
      <p className="text-quiet text-sm">
        {countText(files.size, "file")} changed by {countText(callsOf(changes), "call")}
        {folder !== "" && <span className="break-words"> in {visibleText(folder)}</span>}
      </p>
      {changes.map(({ key, diff, calls }) => (
        <DiffView key={key} diff={diff} name={diff.path.slice(folder.length)}>
          {calls.map((call, index) => (
            <button
              key={`${call.runId} ${call.callId}`}
              type="button"
              className="action"
              aria-label={`Call ${index + 1} that changed ${diff.path}`}
              onClick={() => onSelect(call)}
            >
              call {index + 1}
            </button>
          ))}
        </DiffView>
      ))}
    </div>
  );
}

function callsOf(changes: ReturnType<typeof fileChangesOf>): number {
  return new Set(changes.flatMap(({ calls }) => calls.map((one) => `${one.runId} ${one.callId}`)))
    .size;
}
