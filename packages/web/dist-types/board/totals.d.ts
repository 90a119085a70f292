/** What calls took together: for a run, for each tool, and over time. Pure sums of what tracks say. */
import { type CallTrack } from "@callboard/run-log";
export interface Totals {
  readonly calls: number;
  readonly failed: number;
  readonly stopped: number;
  readonly open: number;
  readonly ranMs: number;
  readonly waitedMs: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly retries: number;
}
export declare function totalsOf(tracks: readonly CallTrack[], now: number): Totals;
export interface ToolTotals extends Totals {
  readonly toolName: string;
}
/** The tools that took longest first. */
export declare function totalsByTool(
  tracks: readonly CallTrack[],
  now: number,
): readonly ToolTotals[];
export interface TimeBucket {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly failed: number;
  readonly costUsd: number;
}
/** The time from the first opening to now in equal parts; a call counts where it was opened. */
export declare function bucketsOf(
  tracks: readonly CallTrack[],
  now: number,
  parts: number,
): readonly TimeBucket[];
//# sourceMappingURL=totals.d.ts.map
