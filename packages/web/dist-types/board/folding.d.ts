/**
 * Which neighbouring calls fold into one line. A call that failed, waits for an answer or still goes
 * on always stands outside; so does whatever the person opened.
 */
import { type CallTrack } from "@callboard/run-log";
export type Folded =
  | {
      readonly type: "call";
      readonly track: CallTrack;
    }
  | {
      readonly type: "fold";
      readonly key: string;
      readonly tracks: readonly CallTrack[];
    };
export declare function foldedTracks(tracks: readonly CallTrack[]): readonly Folded[];
/** "Read File · 4 calls", or "Read File, Shell · 10 calls". */
export declare function foldLabel(tracks: readonly CallTrack[]): string;
//# sourceMappingURL=folding.d.ts.map
