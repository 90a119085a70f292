/** Runs, turns and calls as a list or on a timeline, however many: only what is in sight is mounted. */
import type { RunView, Turn } from "@callboard/client";
import { type CallTrack, durationText } from "@callboard/run-log/projections";
import { type RefObject, useCallback, useMemo, useRef } from "react";
import { useHasTimes } from "../shell/moment.js";
import { useStable } from "../shell/useStable.js";
import { useWidth } from "../shell/useWidth.js";
import { clockText } from "../values/clockText.js";
import { LongList } from "../values/LongList.js";
import {
  type Axis,
  type AxisWindow,
  axisOf,
  busySpans,
  cutsOf,
  isSameAxis,
  placeOf,
  shareOf,
  type Tick,
  ticksOf,
  windowAround,
} from "./axis.js";
import type { BoardRow } from "./rows.js";
import { CallLine, RunLine, TurnLine } from "./TimelineRows.js";
import { nestedTotals } from "./totals.js";
import { type CallKey, trackKey } from "./trackKey.js";
import { type AxisControl, useBrush, useWheel } from "./useAxisWindow.js";

export interface TimelineProps {
  /** All of them: the scale is the same whatever the filter leaves. */
  readonly tracks: readonly CallTrack[];
  readonly turns: readonly Turn[];
  readonly rows: readonly BoardRow[];
  readonly now: number;
  readonly hasBars: boolean;
  /** A run is open: its rows are added at the end. */
  readonly isGrowing: boolean;
  readonly control: AxisControl;
  readonly chosen: CallTrack | undefined;
  readonly onChoose: (call: CallKey) => void;
  readonly onFold: (key: string) => void;
  readonly onShowRun?: ((runId: string) => void) | undefined;
  /** How much the checker found, by `trackKey`. */
  readonly findings: ReadonlyMap<string, number>;
}

const rowHeight = 24;

export function Timeline(props: TimelineProps) {
  const { tracks, turns, rows, now, hasBars, isGrowing, control, chosen, findings } = props;
  const { onChoose, onFold, onShowRun } = props;
  const { window, show } = control;
  const isLive = useMemo(() => hasOpen(tracks) || hasOpen(turns), [tracks, turns]);
  // Where everything is over the time does not matter; moving and magnifying never does.
  const end = isLive ? now : 0;
  const axis = useStable(
    useMemo(() => axisOf(busySpans(tracks, turns, end), isLive), [tracks, turns, end, isLive]),
    isSameAxis,
  );
  const nested = useMemo(() => nestedTotals(tracks, 0), [tracks]);
  const chosenKey = chosen && trackKey(chosen);
  const chosenIndex = useMemo(
    () => (chosenKey === undefined ? undefined : rows.findIndex(({ key }) => key === chosenKey)),
    [rows, chosenKey],
  );
  const body = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const width = useWidth(ruler, hasBars);
  const scale = useMemo(
    () => (hasBars ? { axis, window, width } : undefined),
    [hasBars, axis, window, width],
  );
  const onZoom = useCallback(
    ({ startedAt, closedAt }: RunView) => {
      if (startedAt === undefined) return;
      const end = closedAt === undefined ? 1 : placeOf(axis, closedAt);
      show(windowAround(placeOf(axis, startedAt), end));
    },
    [axis, show],
  );
  useWheel(body, ruler, control);
  const nowShare = shareOf(window, placeOf(axis, now));
  const isNowShown = hasBars && isLive && nowShare >= 0 && nowShare <= 1;
  return (
    <div ref={body} className="timeline" data-scaled={hasBars || undefined}>
      {hasBars && <Ruler {...{ axis, control, ruler, width }} />}
      <div className="relative min-h-0 grow">
        {hasBars && <Grid axis={axis} window={window} />}
        {/* Below the rows: it crosses no heading. */}
        {isNowShown && (
          <div className="bars-place" aria-hidden="true">
            <div className="now-line" data-now-line="" style={{ left: `${nowShare * 100}%` }} />
          </div>
        )}
        <LongList
          label="Calls"
          items={rows}
          rowHeight={rowHeight}
          keyOf={({ key }) => key}
          shownIndex={chosenIndex}
          isGrowing={isGrowing}
        >
          {(row) => {
            switch (row.type) {
              case "run": {
                const { run, calls, failed, isFolded } = row;
                const end = run.closedAt ?? now;
                return (
                  <RunLine
                    {...{ run, calls, failed, isFolded, scale, onFold, onShowRun, onZoom }}
                    now={end}
                  />
                );
              }
              case "turn": {
                const { turn, depth } = row;
                return <TurnLine {...{ turn, depth, scale }} now={turn.closedAt ?? now} />;
              }
              case "call": {
                const { track, depth, isFolded } = row;
                return (
                  <CallLine
                    {...{ track, depth, isFolded, scale, onChoose, onFold }}
                    now={track.closedAt ?? now}
                    isSelected={row.key === chosenKey}
                    nested={nested.get(row.key)}
                    findings={findings.get(row.key) ?? 0}
                  />
                );
              }
              default:
                return row satisfies never;
            }
          }}
        </LongList>
      </div>
    </div>
  );
}

function hasOpen(all: readonly { readonly closedAt?: number }[]): boolean {
  return all.some(({ closedAt }) => closedAt === undefined);
}

interface RulerProps {
  readonly axis: Axis;
  readonly control: AxisControl;
  readonly ruler: RefObject<HTMLDivElement | null>;
  readonly width: number;
}

/** The room that a label needs, in pixels, and the width of the scale before anything is laid out. */
const letterWidth = 6.5;
const labelMargin = 12;
const guessedWidth = 380;

/** The times above the rows. Dragging over it shows a stretch alone; a double click shows everything. */
function Ruler({ axis, control, ruler, width }: RulerProps) {
  const { window } = control;
  const hasTimes = useHasTimes();
  const brushed = useBrush(ruler, control);
  const labels = spaced(ticksOf(axis, window), width === 0 ? guessedWidth : width, hasTimes);
  return (
    <div className="ruler" aria-hidden="true">
      <Legend />
      <div ref={ruler} className="ruler-scale">
        {labels.map(({ at, ms, share, text }) => (
          <span
            key={at}
            className="ruler-label"
            data-start={ms === 0 || undefined}
            style={{ left: `${share * 100}%` }}
          >
            {text}
          </span>
        ))}
        {brushed && (
          <span
            className="ruler-brush"
            style={{
              left: `${Math.min(brushed.from, brushed.to) * 100}%`,
              width: `${Math.abs(brushed.to - brushed.from) * 100}%`,
            }}
          />
        )}
      </div>
    </div>
  );
}

/** The start of a stretch as clock time, the rest as time after it; lines where there are no times. */
function tickText({ ms, at }: Tick, hasTimes: boolean): string {
  if (!hasTimes) return `line ${at}`;
  return ms === 0 ? clockText(at) : `+${durationText(ms)}`;
}

interface Label extends Tick {
  readonly text: string;
}

/** Starts first; then whatever fits between them. Each is whole, and beside the others. */
function spaced(ticks: readonly Tick[], width: number, hasTimes: boolean): readonly Label[] {
  const kept: (Label & { readonly end: number })[] = [];
  const starts = ticks.filter(({ ms }) => ms === 0);
  for (const tick of [...starts, ...ticks.filter(({ ms }) => ms > 0)]) {
    const text = tickText(tick, hasTimes);
    const end = tick.share + (text.length * letterWidth + labelMargin) / width;
    const isFree = kept.every((one) => end <= one.share || tick.share >= one.end);
    if (end <= 1 && isFree) kept.push({ ...tick, text, end });
  }
  return kept;
}

function Grid({ axis, window }: { readonly axis: Axis; readonly window: AxisWindow }) {
  return (
    <div className="bars-place" aria-hidden="true">
      {ticksOf(axis, window).map(({ at, share }) => (
        <span key={at} className="gridline" style={{ left: `${share * 100}%` }} />
      ))}
      {cutsOf(axis, window).map(({ start, end, ms }) => (
        <span
          key={start}
          className="cut"
          title={`${durationText(ms)} in which nothing happened`}
          style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
        />
      ))}
    </div>
  );
}

/** Where there is little room the last ones are left out. */
const legend = [
  ["running", "running"],
  ["answer", "model"],
  ["approval", "waiting"],
  ["arguments", "arguments"],
] as const;

function Legend() {
  return (
    <span className="legend">
      {legend.map(([kind, word]) => (
        <span key={kind} className="flex items-center gap-1">
          <span className="legend-mark" data-bar={kind} />
          {word}
        </span>
      ))}
    </span>
  );
}
