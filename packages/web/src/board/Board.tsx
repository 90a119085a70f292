/**
 * The board: every call of what is shown, in three densities and by tool, filtered, magnified, and one
 * of them in full. It is given tracks and a time; whether they are live, replayed or recorded is not
 * its business.
 */
import type { CallTrack } from "@callboard/run-log";
import { type ReactNode, useCallback, useDeferredValue, useMemo, useRef, useState } from "react";
import type { LogLine } from "../recording/tape.js";
import { useKeys } from "../shell/useKeys.js";
import { BoardBar, type Density } from "./BoardBar.js";
import { neighbourOf, nextFailure } from "./boardKeys.js";
import { CallDetails, type CallDetailsProps } from "./CallDetails.js";
import { EventLog } from "./EventLog.js";
import { everything, filteredTracks, orderedRows, type TrackFilter } from "./filter.js";
import { ToolsView } from "./ToolsView.js";
import { TrackList } from "./TrackList.js";
import { type CallKey, trackKey } from "./trackKey.js";
import { placedTracks } from "./waterfall.js";

export interface BoardProps extends Pick<CallDetailsProps, "modelOf" | "onRunAgain"> {
  readonly tracks: readonly CallTrack[];
  readonly now: number;
  readonly selected: CallKey | undefined;
  readonly onSelect: (call: CallKey | undefined) => void;
  /** Undefined while they are being read. */
  readonly lines: readonly LogLine[] | undefined;
  /** Called when the lines are wanted. */
  readonly onWantLines?: () => void;
  /** Further controls: a replay, say. */
  readonly children?: ReactNode;
}

export function Board(props: BoardProps) {
  const { tracks, now, selected, onSelect, lines, onWantLines, children } = props;
  const [filter, setFilter] = useState<TrackFilter>(everything);
  const [density, setDensity] = useState<Density>("timeline");
  const [zoom, setZoom] = useState(1);
  const search = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLElement>(null);
  const wanted = useDeferredValue(filter);
  const rows = useMemo(
    () => orderedRows(placedTracks(filteredTracks(tracks, wanted)), wanted),
    [tracks, wanted],
  );
  const chosen = selected && tracks.find((track) => trackKey(track) === trackKey(selected));
  const order = (): readonly CallTrack[] => rows.map(({ track }) => track);
  useKeys([
    ["j", () => onSelect(neighbourOf(order(), chosen, 1))],
    ["k", () => onSelect(neighbourOf(order(), chosen, -1))],
    ["e", () => onSelect(nextFailure(order(), chosen))],
    ["/", () => search.current?.focus()],
    ["Enter", () => details.current?.focus()],
    ["Escape", () => onSelect(undefined)],
  ]);
  const onChoose = useCallback(
    (track: CallTrack) => {
      const isChosen = selected !== undefined && trackKey(selected) === trackKey(track);
      onSelect(isChosen ? undefined : { runId: track.runId, callId: track.callId });
    },
    [selected, onSelect],
  );
  function onDensity(next: Density): void {
    if (next === "events") onWantLines?.();
    setDensity(next);
  }
  return (
    <section aria-label="Board" className="flex min-h-0 min-w-0 grow flex-col">
      <BoardBar
        tracks={tracks}
        now={now}
        search={search}
        filter={filter}
        onFilter={setFilter}
        density={density}
        onDensity={onDensity}
        zoom={zoom}
        onZoom={setZoom}
      />
      {children}
      {density === "events" && <Events {...{ lines, selected, onSelect }} />}
      {density === "tools" && <ToolsView tracks={tracks} now={now} />}
      {(density === "timeline" || density === "compact") && (
        <TrackList
          tracks={tracks}
          rows={rows}
          now={now}
          isTimeline={density === "timeline"}
          zoom={zoom}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
      {chosen && (
        <CallDetails
          ref={details}
          key={trackKey(chosen)}
          track={chosen}
          now={now}
          lines={lines}
          {...(onWantLines && { onWantLines })}
          {...(props.modelOf && { modelOf: props.modelOf })}
          {...(props.onRunAgain && { onRunAgain: props.onRunAgain })}
          onClose={() => onSelect(undefined)}
        />
      )}
    </section>
  );
}

function Events({
  lines,
  selected,
  onSelect,
}: Pick<BoardProps, "lines" | "selected" | "onSelect">) {
  if (lines === undefined) return <p className="p-3 text-quiet text-sm">Reading the log…</p>;
  return (
    <div className="min-h-0 grow">
      <EventLog lines={lines} selected={selected} onSelectCall={onSelect} />
    </div>
  );
}
