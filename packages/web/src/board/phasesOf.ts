/**
 * The phases of a call as the board shows them. A question of the model runs as a call does, but its time is the
 * person's: it waits, as an approval does.
 */
import { askToolName } from "@callboard/run-log/asking";
import {
  type CallTrack,
  isAskingPerson,
  msIn,
  type TrackPhase,
} from "@callboard/run-log/projections";

export function phasesOf(track: CallTrack): readonly TrackPhase[] {
  if (track.toolName !== askToolName && !isAskingPerson(track)) return track.phases;
  return track.phases.map((phase) =>
    phase.kind === "running" ? { ...phase, kind: "approval" } : phase,
  );
}

/** How long it has been in a kind of phase, up to `now` for an open one. */
export function shownMsIn(track: CallTrack, kind: TrackPhase["kind"], now: number): number {
  const phases = phasesOf(track);
  return msIn(phases === track.phases ? track : { ...track, phases }, kind, now);
}
