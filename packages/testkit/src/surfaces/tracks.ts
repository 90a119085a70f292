/** The board's tracks: the state at the end is the last track of each call. */
import {
  type CallTrack,
  createTracksProjection,
  type TracksMemory,
} from "@callboard/run-log/projections";
import { type Surface, without } from "../surface.js";

export const tracksSurface: Surface<TracksMemory, CallTrack> = {
  name: "tracks",
  projection: createTracksProjection(),
  finalOf: lastTracks,
  shownOf: lastTracks,
  callOf: ({ callId }) => callId,
  isEnd: ({ closedAt }) => closedAt !== undefined,
  /** What a delta does not touch is passed on by reference. */
  newsOf: (track) => without(track, "inputText", "input", "outputText", "steps"),
  deltaOverhead: 2_000,
};

function lastTracks(tracks: readonly CallTrack[]): readonly CallTrack[] {
  return [...new Map(tracks.map((track) => [track.callId, track])).values()];
}
