/** The calls as a list or on a timeline, however many: only what is in sight is mounted. */
import type { CallTrack } from "@callboard/run-log";
import { useEffect, useMemo, useRef } from "react";
import { VList, type VListHandle } from "virtua";
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
}

export function TrackList(props: TrackListProps) {
  const { tracks, rows, now, isTimeline, zoom, chosen, onChoose } = props;
  const list = useRef<VListHandle>(null);
  const isLive = tracks.some(({ closedAt }) => closedAt === undefined);
  const { from, to } = rangeOf(tracks, now);
  const middle = chosen ? (chosen.openedAt + (chosen.closedAt ?? now)) / 2 : to;
  const shown = zoomedRange({ from, to }, zoom, middle);
  const range = useMemo(() => ({ from: shown.from, to: shown.to }), [shown.from, shown.to]);
  const nested = useMemo(() => nestedTotals(tracks, 0), [tracks]);
  const chosenIndex = rows.findIndex(({ track }) => track === chosen);
  const chosenKey = chosen && trackKey(chosen);
  useEffect(() => {
    const handle: VListHandle | null = list.current;
    if (handle && chosenKey !== undefined && chosenIndex >= 0)
      handle.scrollToIndex(chosenIndex, { align: "nearest" });
  }, [chosenKey, chosenIndex]);

  if (tracks.length === 0) return <p className="grow p-3 text-quiet text-sm">No calls yet.</p>;
  if (rows.length === 0)
    return <p className="grow p-3 text-quiet text-sm">No call fits the filter.</p>;
  const isNowShown = isTimeline && isLive && now >= range.from && now <= range.to;
  return (
    <>
      {isTimeline && <WaterfallLegend />}
      {isTimeline && <WaterfallScale range={range} origin={from} />}
      <div className="relative min-h-0 grow">
        <VList ref={list} data={rows} itemSize={isTimeline ? 46 : 28}>
          {({ track, depth }) => {
            const inside = nested.get(trackKey(track));
            return (
              <TrackRow
                key={trackKey(track)}
                track={track}
                depth={depth}
                now={track.closedAt ?? now}
                isSelected={trackKey(track) === chosenKey}
                onChoose={onChoose}
                {...(isTimeline && { range })}
                {...(inside && { nested: inside })}
              />
            );
          }}
        </VList>
        {isNowShown && (
          <div className="pointer-events-none absolute inset-x-3 inset-y-0" aria-hidden="true">
            <div
              data-now-line=""
              className="absolute inset-y-0 w-px bg-accent"
              style={{ left: `${shareOf(range, now) * 100}%` }}
            />
          </div>
        )}
      </div>
    </>
  );
}
