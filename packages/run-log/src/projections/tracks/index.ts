/**
 * The board: one track for each call, emitted again at each of its events. A track is a snapshot; those of other calls
 * stay the same objects.
 */
import { isCallEvent } from "../../log/events/index.js";
import type { CallId } from "../../log/ids.js";
import { createLedger, entryOf, type Ledger, withOpen, withSettled } from "../../log/ledger.js";
import type { Projection } from "../shared/projection.js";
import type { CallTrack } from "../shared/track.js";
import { changedTrack, openedTrack } from "../shared/trackSteps.js";

export type TracksMemory = Ledger<CallId, CallTrack>;

export function createTracksProjection(): Projection<TracksMemory, CallTrack> {
  return {
    initial: createLedger(),
    step(memory, event) {
      if (!isCallEvent(event)) return { memory, outputs: [] };
      const before = entryOf(memory, event.callId);
      if (event.type === "call.opened") {
        const track = openedTrack(event);
        return { memory: withOpen(memory, event.callId, track), outputs: [track] };
      }
      if (!before) return { memory, outputs: [] };
      const track = changedTrack(before, event);
      if (track === before) return { memory, outputs: [] };
      const keep = event.type === "call.closed" ? withSettled : withOpen;
      return { memory: keep(memory, event.callId, track), outputs: [track] };
    },
  };
}
