/** Which tracks are shown and in which order: by words in what they say, and by how they ended. */
import { type CallTrack, wordsOf } from "@callboard/run-log";
import { withCurrentName } from "../calls/toolNames.js";
import type { PlacedTrack } from "./waterfall.js";

export interface TrackFilter {
  readonly text: string;
  readonly onlyFailed: boolean;
  readonly errorsFirst: boolean;
}

export const everything: TrackFilter = { text: "", onlyFailed: false, errorsFirst: false };

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
    const { verb, target, word, reason = "" } = wordsOf(withCurrentName(track), track.openedAt);
    return `${verb} ${target} ${word} ${reason} ${track.toolName}`.toLowerCase().includes(wanted);
  });
}

/** Failures stand by themselves above the rest, which keeps its order. */
export function orderedRows(
  rows: readonly PlacedTrack[],
  { errorsFirst }: TrackFilter,
): readonly PlacedTrack[] {
  if (!errorsFirst) return rows;
  const failed = rows.filter(({ track }) => hasFailed(track));
  return [
    ...failed.map(({ track }) => ({ track, depth: 0 })),
    ...rows.filter(({ track }) => !hasFailed(track)),
  ];
}
