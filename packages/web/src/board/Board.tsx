/**
 * The board: every call, in three densities, by tool and by file, filtered, magnified, and one of them in detail. It
 * gets tracks and a time; it does not know whether they are live, replayed or recorded.
 */
import type { RunView, Turn } from "@callboard/client";
import type { CallTrack } from "@callboard/run-log/projections";
import {
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from "react";
import type { LogLine } from "../recording/tape.js";
import { lazyPart } from "../shell/lazyPart.js";
import { useKeys } from "../shell/useKeys.js";
import { BoardBar, type Density, Zoom } from "./BoardBar.js";
import { neighbourOf, nextFailure } from "./boardKeys.js";
import { CallDetails, type CallDetailsProps } from "./CallDetails.js";
import EmptyBoard from "./EmptyBoard.js";
import { EventLog } from "./EventLog.js";
import { everything, filteredTracks, isFiltering, type TrackFilter } from "./filter.js";
import { type BoardRow, boardRows, failuresFirst } from "./rows.js";
import { Sums } from "./Sums.js";
import { Timeline } from "./Timeline.js";
import { ToolsView } from "./ToolsView.js";
import { type CallKey, trackKey } from "./trackKey.js";
import { useAxisControl } from "./useAxisWindow.js";

const ChangesView = lazyPart(() => import("./ChangesView.js"));

export interface BoardProps extends Pick<CallDetailsProps, "modelOf" | "linkOf" | "onRunAgain"> {
  readonly tracks: readonly CallTrack[];
  /** The runs of the calls, if they are known. */
  readonly runs: readonly RunView[];
  /** When their models were called and answered. */
  readonly turns: readonly Turn[];
  readonly now: number;
  readonly selected: CallKey | undefined;
  readonly onSelect: (call: CallKey | undefined) => void;
  /** Shows a run in the chat; absent if there is none. */
  readonly onShowRun?: (runId: string) => void;
  /** Undefined while they are being read. */
  readonly lines: readonly LogLine[] | undefined;
  /** Called when the lines are wanted. */
  readonly onWantLines?: () => void;
  /** The scrubber of a replay. */
  readonly replay?: ReactNode;
  /** Further controls, beside the sums. */
  readonly children?: ReactNode;
}

export function Board(props: BoardProps) {
  const {
    tracks,
    runs,
    turns,
    now,
    selected,
    onShowRun,
    onSelect,
    lines,
    onWantLines,
    replay,
    children,
  } = props;
  const [filter, setFilter] = useState<TrackFilter>(everything);
  const [density, setDensity] = useState<Density>("timeline");
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const control = useAxisControl();
  const search = useRef<HTMLInputElement>(null);
  const details = useRef<HTMLElement>(null);
  const wanted = useDeferredValue(filter);
  const rows = useMemo(
    () => shownRows({ tracks, runs, turns, folded }, wanted, density),
    [tracks, runs, turns, folded, wanted, density],
  );
  const findings = useMemo(() => findingsByCall(lines ?? []), [lines]);
  const chosen = selected && tracks.find((track) => trackKey(track) === trackKey(selected));
  const order = (): readonly CallTrack[] =>
    rows.flatMap((row) => (row.type === "call" ? [row.track] : []));
  const hasCalls = rows.some(({ type }) => type === "call");
  const onFold = useCallback((key: string) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  useKeys([
    ["j", () => onSelect(neighbourOf(order(), chosen, 1))],
    ["k", () => onSelect(neighbourOf(order(), chosen, -1))],
    ["e", () => onSelect(nextFailure(order(), chosen))],
    ["/", () => search.current?.focus()],
    ["Enter", () => details.current?.focus()],
    ["Escape", () => onSelect(undefined)],
    ["+", () => control.zoomBy(2)],
    ["-", () => control.zoomBy(0.5)],
    ["0", control.reset],
  ]);
  const hasRows = density === "timeline" || density === "compact";
  const onChoose = useCallback(
    (call: CallKey) => {
      const isChosen = selected !== undefined && trackKey(selected) === trackKey(call);
      onSelect(isChosen ? undefined : call);
    },
    [selected, onSelect],
  );
  function onDensity(next: Density): void {
    if (next === "events") onWantLines?.();
    setDensity(next);
  }
  const onClose = useCallback(() => onSelect(undefined), [onSelect]);
  const isEmpty =
    tracks.length + turns.length === 0 && replay === undefined && density !== "events";
  return (
    <section aria-label="Board" className="flex min-h-0 min-w-0 grow flex-col">
      {!isEmpty && (
        <header className="space-y-1.5 border-line border-b px-3 py-2">
          <div className="flex items-center gap-2">
            <Sums tracks={tracks} runs={runs} now={now} />
            {density === "timeline" && <Zoom control={control} />}
            {children}
          </div>
          {replay}
          <BoardBar
            search={search}
            filter={filter}
            onFilter={setFilter}
            density={density}
            onDensity={onDensity}
          />
        </header>
      )}
      {isEmpty && <EmptyBoard />}
      {density === "events" && <Events {...{ lines, selected, onSelect }} />}
      {density === "changes" && !isEmpty && (
        <Suspense fallback={<p className="p-3 text-quiet text-sm">Reading the changes…</p>}>
          <ChangesView tracks={tracks} onSelect={onSelect} />
        </Suspense>
      )}
      {density === "tools" && !isEmpty && <ToolsView tracks={tracks} now={now} />}
      {hasRows && !hasCalls && rows.length === 0 && !isEmpty && (
        <p className="grow p-3 text-quiet text-sm">
          {tracks.length === 0 ? "No calls at this moment." : "No call fits the filter."}
        </p>
      )}
      {hasRows && rows.length > 0 && (
        <Timeline
          {...{ tracks, turns, rows, now, control, chosen, onChoose, onFold, onShowRun, findings }}
          hasBars={density === "timeline"}
          isGrowing={runs.some(({ status }) => status === "open")}
        />
      )}
      {chosen && (
        <CallDetails
          ref={details}
          key={trackKey(chosen)}
          track={chosen}
          now={chosen.closedAt ?? now}
          lines={lines}
          {...(onWantLines && { onWantLines })}
          {...(props.modelOf && { modelOf: props.modelOf })}
          {...(props.linkOf && { linkOf: props.linkOf })}
          {...(props.onRunAgain && { onRunAgain: props.onRunAgain })}
          onClose={onClose}
        />
      )}
    </section>
  );
}

/** A filter shows calls alone; the compact list omits the model's turns. */
function shownRows(
  shown: Parameters<typeof boardRows>[0],
  filter: TrackFilter,
  density: Density,
): readonly BoardRow[] {
  const tracks = filteredTracks(shown.tracks, filter);
  if (filter.errorsFirst) return failuresFirst(tracks);
  if (isFiltering(filter)) return boardRows({ ...shown, tracks, turns: [], runs: [] });
  return boardRows(density === "compact" ? { ...shown, turns: [] } : shown);
}

function findingsByCall(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { problems = [] } of lines) {
    for (const { call } of problems) {
      if (call) found.set(trackKey(call), (found.get(trackKey(call)) ?? 0) + 1);
    }
  }
  return found;
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
