/**
 * Where each call stands on the waterfall: its row, its depth under the call it works for, and the
 * stretch of time of each of its phases as a share of the whole. Pure; drawing is the component's.
 */
import type { CallId, CallTrack, TrackPhase } from "@callboard/run-log";

export interface WaterfallBar {
  readonly kind: TrackPhase["kind"];
  /** From 0 to 1 of the shown range. */
  readonly start: number;
  readonly width: number;
  /** It still goes on: drawn dashed, up to the now-line. */
  readonly isOpen: boolean;
}

export interface WaterfallRow {
  readonly track: CallTrack;
  /** 0 for a call of the model's own, 1 for a call that works for it, and so on. */
  readonly depth: number;
  readonly bars: readonly WaterfallBar[];
}

export interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  readonly from: number;
  readonly to: number;
  /** Where now is, from 0 to 1; absent when nothing is open. */
  readonly nowLine?: number;
}

/** Rows in the order of opening, nested calls below their parent. */
export function waterfallOf(tracks: readonly CallTrack[], now: number): Waterfall {
  if (tracks.length === 0) return { rows: [], from: now, to: now };
  const isLive = tracks.some(({ closedAt }) => closedAt === undefined);
  const from = Math.min(...tracks.map(({ openedAt }) => openedAt));
  const ends = tracks.map(({ closedAt, openedAt }) => closedAt ?? Math.max(now, openedAt));
  const to = Math.max(...ends, from + 1);
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));
  const rows = nested(tracks).map(({ track, depth }) => ({
    track,
    depth,
    bars: track.phases.map((phase) => barOf(phase, share, to)),
  }));
  return { rows, from, to, ...(isLive ? { nowLine: share(now) } : {}) };
}

function barOf(phase: TrackPhase, share: (at: number) => number, end: number): WaterfallBar {
  const start = share(phase.from);
  return {
    kind: phase.kind,
    start,
    width: share(phase.to ?? end) - start,
    isOpen: phase.to === undefined,
  };
}

interface Placed {
  readonly track: CallTrack;
  readonly depth: number;
}

/** A call whose parent is not among them stands by itself. */
function nested(tracks: readonly CallTrack[]): readonly Placed[] {
  const known = new Set(tracks.map(({ callId }) => callId));
  const children = new Map<CallId | undefined, CallTrack[]>();
  for (const track of tracks) {
    const parent = track.parentCallId;
    const place = parent !== undefined && known.has(parent) ? parent : undefined;
    const siblings = children.get(place);
    if (siblings) siblings.push(track);
    else children.set(place, [track]);
  }
  const placed: Placed[] = [];
  const open: Placed[] = (children.get(undefined) ?? []).map((track) => ({ track, depth: 0 }));
  open.reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    placed.push(next);
    const depth = next.depth + 1;
    for (const track of (children.get(next.track.callId) ?? []).toReversed()) {
      open.push({ track, depth });
    }
  }
  return placed;
}
