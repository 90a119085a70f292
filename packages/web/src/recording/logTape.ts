/** The logs of runs as a tape. */
import {
  type CallTrack,
  createProjector,
  createTracksProjection,
  isCallEvent,
  type RunEvent,
} from "@callboard/run-log";
import { trackKey } from "../board/trackKey.js";
import { createTape, type LogLine, type Tape, type TrackFold } from "./tape.js";

export function lineOfEvent(event: RunEvent): LogLine {
  const { v: _, runId: __, seq: ___, at, type, ...own } = event;
  return {
    at,
    type,
    text: JSON.stringify(event),
    glance: JSON.stringify(own),
    runId: event.runId,
    ...(isCallEvent(event) ? { callId: event.callId } : {}),
  };
}

export function logTapeOf(events: readonly RunEvent[]): Tape {
  return createTape(events.map(lineOfEvent), () => createLogFold(events));
}

export function createLogFold(events: readonly (RunEvent | undefined)[]): TrackFold {
  const projectors = new Map<string, ReturnType<typeof newProjector>>();
  const tracks = new Map<string, CallTrack>();
  return {
    push(index) {
      const event = events[index];
      if (!event) return;
      const projector = projectors.get(event.runId) ?? newProjector();
      projectors.set(event.runId, projector);
      for (const track of projector.push(event)) tracks.set(trackKey(track), track);
    },
    get tracks() {
      return [...tracks.values()];
    },
  };
}

function newProjector() {
  return createProjector(createTracksProjection());
}
