/**
 * Where each call stands on the waterfall: its depth under the call it works for, and the stretch of
 * time of each of its phases as a share of the range that is shown. Pure; drawing is the component's.
 */
import type { CallTrack, TrackPhase } from "@callboard/run-log";
import { trackKey } from "./trackKey.js";

/** Milliseconds since the epoch; `to` is later than `from`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

export interface WaterfallBar {
  readonly kind: TrackPhase["kind"];
  /** From 0 to 1 of the shown range. */
  readonly start: number;
  readonly width: number;
  /** It still goes on: drawn dashed, up to the now-line. */
  readonly isOpen: boolean;
}

/** From the first opening to the last end. While something is open there is room to grow. */
export function rangeOf(tracks: readonly CallTrack[], now: number): TimeRange {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  let isLive = false;
  for (const { openedAt, closedAt } of tracks) {
    from = Math.min(from, openedAt);
    to = Math.max(to, closedAt ?? Math.max(now, openedAt));
    isLive ||= closedAt === undefined;
  }
  if (tracks.length === 0) return { from: now, to: now + 1 };
  return { from, to: isLive ? from + roomFor(to - from) : Math.max(to, from + 1) };
}

const firstRoom = 1_000;
const growth = 1.5;

/** The range grows in steps: bars that are done keep their place between two of them. */
function roomFor(ms: number): number {
  let room = firstRoom;
  while (room < ms) room *= growth;
  return room;
}

export function shareOf({ from, to }: TimeRange, at: number): number {
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** Phases outside the range are left out; `now` ends those that go on. */
export function barsOf(track: CallTrack, range: TimeRange, now: number): readonly WaterfallBar[] {
  return track.phases.flatMap((phase) => {
    const end = phase.to ?? Math.max(now, phase.from);
    if (end < range.from || phase.from > range.to) return [];
    const start = shareOf(range, phase.from);
    const width = shareOf(range, end) - start;
    return [{ kind: phase.kind, start, width, isOpen: phase.to === undefined }];
  });
}

/** The part of the range that is shown when it is magnified around a moment. */
export function zoomedRange(range: TimeRange, zoom: number, around: number): TimeRange {
  const size = (range.to - range.from) / zoom;
  const from = Math.min(range.to - size, Math.max(range.from, around - size / 2));
  return { from, to: from + size };
}

export interface PlacedTrack {
  readonly track: CallTrack;
  /** 0 for a call of the model's own, 1 for a call that works for it, and so on. */
  readonly depth: number;
}

/** In the order of opening, nested calls below their parent. One without its parent stands by itself. */
export function placedTracks(tracks: readonly CallTrack[]): readonly PlacedTrack[] {
  const known = new Set(tracks.map(trackKey));
  const children = new Map<string, CallTrack[]>();
  for (const track of tracks) {
    const place = parentKey(track) ?? "";
    const key = known.has(place) && place !== trackKey(track) ? place : "";
    const siblings = children.get(key);
    if (siblings) siblings.push(track);
    else children.set(key, [track]);
  }
  const placed: PlacedTrack[] = [];
  const open: PlacedTrack[] = (children.get("") ?? []).map((track) => ({ track, depth: 0 }));
  open.reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    placed.push(next);
    const depth = next.depth + 1;
    for (const track of (children.get(trackKey(next.track)) ?? []).toReversed()) {
      open.push({ track, depth });
    }
  }
  return placed;
}

/** Of the call that a call works for. */
export function parentKey({ runId, parentCallId }: CallTrack): string | undefined {
  return parentCallId === undefined ? undefined : trackKey({ runId, callId: parentCallId });
}
