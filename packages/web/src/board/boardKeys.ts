/** The board by keyboard: which call a key leads to. Pure. */
import type { CallTrack } from "@callboard/run-log/projections";
import { hasFailed } from "./filter.js";

/** The next one in a direction, from none to the first or the last; it stays at the ends. */
export function neighbourOf(
  tracks: readonly CallTrack[],
  chosen: CallTrack | undefined,
  step: 1 | -1,
): CallTrack | undefined {
  const index = chosen === undefined ? -1 : tracks.indexOf(chosen);
  if (index === -1) return step === 1 ? tracks[0] : tracks.at(-1);
  return tracks[index + step] ?? chosen;
}

/** The next failure after the chosen one, and around. */
export function nextFailure(
  tracks: readonly CallTrack[],
  chosen: CallTrack | undefined,
): CallTrack | undefined {
  const index = chosen === undefined ? -1 : tracks.indexOf(chosen);
  const around = [...tracks.slice(index + 1), ...tracks.slice(0, index + 1)];
  return around.find(hasFailed);
}
