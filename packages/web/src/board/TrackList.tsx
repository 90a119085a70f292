/** The calls as a list or on a timeline, however many: only what is in sight is mounted. */
import type { CallTrack } from "@callboard/run-log";
import { useMemo } from "react";
import { LongList } from "../values/LongList.js";
import { TrackRow } from "./TrackRow.js";
import { nestedTotals } from "./totals.js";
import { trackKey } from "./trackKey.js";
import { WaterfallLegend, WaterfallScale } from "./WaterfallView.js";
import { type PlacedTrack, rangeOf, shareOf, zoomedRange } from "./waterfall.js";

export interface TrackListProps {
  /** All of them: the scale is the same whatever the filter leaves. */
  readonly tracks: readonly CallTrack[];
  readonly rows: readonly PlacedTrack[];
  readonly now: number;
  readonly isTimeline: boolean;
  readonly zoom: number;
  readonly chosen: CallTrack | undefined;
  readonly onChoose: (track: CallTrack) => void;
  /** How much the checker found, by `trackKey`. */
  readonly findings: ReadonlyMap<string, number>;
}

const rowHeights = { timeline: 44, compact: 28 } as const;

export function TrackList(props: TrackListProps) {
  const { tracks, rows, now, isTimeline, zoom, chosen, onChoose, findings } = props;
  const isLive = tracks.some(({ closedAt }) => closedAt === undefined);
  const { from, to } = rangeOf(tracks, now);
  const middle = chosen ? (chosen.openedAt + (chosen.closedAt ?? now)) / 2 : to;
  const shown = zoomedRange({ from, to }, zoom, middle);
  const range = useMemo(() => ({ from: shown.from, to: shown.to }), [shown.from, shown.to]);
  const nested = useMemo(() => nestedTotals(tracks, 0), [tracks]);
  const chosenKey = chosen && trackKey(chosen);
  const isNowShown = isTimeline && isLive && now >= range.from && now <= range.to;
  return (
    <>
      {isTimeline && <WaterfallLegend />}
      {isTimeline && <WaterfallScale range={range} origin={from} />}
      <div className="relative min-h-0 grow">
        <LongList
          label="Calls"
          items={rows}
          rowHeight={isTimeline ? rowHeights.timeline : rowHeights.compact}
          keyOf={({ track }) => trackKey(track)}
          shownIndex={chosen && rows.findIndex(({ track }) => track === chosen)}
        >
          {({ track, depth }) => (
            <TrackRow
              track={track}
              depth={depth}
              now={track.closedAt ?? now}
              isSelected={trackKey(track) === chosenKey}
              onChoose={onChoose}
              range={isTimeline ? range : undefined}
              nested={nested.get(trackKey(track))}
              findings={findings.get(trackKey(track)) ?? 0}
            />
          )}
        </LongList>
        {isNowShown && (
          <div className="pointer-events-none absolute inset-x-3 inset-y-0" aria-hidden="true">
            <div
              data-now-line=""
              className="absolute inset-y-0 w-px bg-accent/50"
              style={{ left: `${shareOf(range, now) * 100}%` }}
            />
          </div>
        )}
      </div>
    </>
  );
}
