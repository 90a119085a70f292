/**
 * Where each call stands on the waterfall: its row, its depth under the call it works for, and the
 * stretch of time of each of its phases as a share of the whole. Pure; drawing is the component's.
 */
import type { CallTrack, TrackPhase } from "@callboard/run-log";
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
export declare function waterfallOf(tracks: readonly CallTrack[], now: number): Waterfall;
//# sourceMappingURL=waterfall.d.ts.map
