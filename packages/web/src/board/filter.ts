/** Which tracks are shown: by words in what they say, and by how they ended. */
import { type CallTrack, describeTrack } from "@callboard/run-log/projections";
import { withCurrentName } from "../calls/toolNames.js";

export interface TrackFilter {
  readonly text: string;
  readonly onlyFailed: boolean;
  readonly errorsFirst: boolean;
}

export const everything: TrackFilter = { text: "", onlyFailed: false, errorsFirst: false };

/** Whether calls are hidden, or reordered. */
export function isFiltering({ text, onlyFailed, errorsFirst }: TrackFilter): boolean {
  return text.trim() !== "" || onlyFailed || errorsFirst;
}

export function hasFailed({ state }: CallTrack): boolean {
  return state === "failed" || state === "stopped";
}

export function filteredTracks(
  tracks: readonly CallTrack[],
  { text, onlyFailed }: TrackFilter,
): readonly CallTrack[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" && !onlyFailed) return tracks;
  return tracks.filter((track) => {
    if (onlyFailed && !hasFailed(track)) return false;
    const {
      verb,
      target,
      word,
      reason = "",
    } = describeTrack(withCurrentName(track), track.openedAt);
    return `${verb} ${target} ${word} ${reason} ${track.toolName}`.toLowerCase().includes(wanted);
  });
}
