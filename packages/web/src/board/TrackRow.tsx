/** One call on the board: its line, and on the timeline its bars. Rendered anew only when it changes. */
import { type CallTrack, durationText } from "@callboard/run-log";
import { memo } from "react";
import { CallRow } from "../calls/CallRow.js";
import { useHasTimes } from "../shell/moment.js";
import { countText } from "../values/countText.js";
import type { Nested } from "./totals.js";
import { WaterfallBars } from "./WaterfallView.js";
import type { TimeRange } from "./waterfall.js";

export interface TrackRowProps {
  readonly track: CallTrack;
  readonly depth: number;
  /** For a call that is closed: the time of its closing, so that it stays the same. */
  readonly now: number;
  readonly isSelected: boolean;
  readonly onChoose: (track: CallTrack) => void;
  /** Absent in the compact list. */
  readonly range: TimeRange | undefined;
  readonly nested: Nested | undefined;
  /** How many things the checker found about it. */
  readonly findings: number;
}

export const TrackRow = memo(function TrackRow(props: TrackRowProps) {
  const { track, depth, now, isSelected, onChoose, range, nested, findings } = props;
  const hasTimes = useHasTimes();
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      data-row={track.callId}
      data-state={track.state}
      className="block h-full w-full px-3 py-1 text-left hover:bg-sunken aria-pressed:bg-sunken aria-pressed:shadow-[inset_3px_0_0_var(--accent)]"
      onClick={() => onChoose(track)}
    >
      <span className="block" style={{ paddingLeft: `${Math.min(depth, 8)}rem` }}>
        <CallRow track={track} now={now} note={noteOf(nested, findings, hasTimes)} />
      </span>
      {range && <WaterfallBars track={track} range={range} now={now} />}
    </button>
  );
});

function noteOf(
  nested: Nested | undefined,
  findings: number,
  hasTimes: boolean,
): string | undefined {
  const notes = [
    ...(findings > 0 ? [`⚠ ${findings} found by the checker`] : []),
    ...(nested ? insideNotes(nested, hasTimes) : []),
  ];
  return notes.length === 0 ? undefined : notes.join(" · ");
}

function insideNotes({ calls, ranMs, costUsd }: Nested, hasTimes: boolean): readonly string[] {
  return [
    `${countText(calls, "call")} inside`,
    ...(hasTimes ? [durationText(ranMs)] : []),
    ...(costUsd > 0 ? [`$${costUsd.toFixed(4)}`] : []),
  ];
}
