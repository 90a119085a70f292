/** Stretches of time as bars in a row of the board. Told in words beside them, so hidden from readers. */
import type { Turn } from "@callboard/client";
import type { CallTrack, TrackPhase, TrackState } from "@callboard/run-log/projections";
import type { CSSProperties } from "react";
import { keyed } from "../values/keyed.js";
import { type Axis, type AxisWindow, placeOf, shareOf } from "./axis.js";
import { type NotePlace, notePlace } from "./notePlace.js";
import { phasesOf } from "./phasesOf.js";

export type BarKind = TrackPhase["kind"] | "asked" | "answer" | "compaction" | "run";

export interface Bar {
  readonly kind: BarKind;
  readonly from: number;
  readonly to: number;
  /** It is still open. */
  readonly isOpen: boolean;
}

/** `now` ends the open ones. */
export function barsOfCall(track: CallTrack, now: number): readonly Bar[] {
  return phasesOf(track).map(({ kind, from, to }) => ({
    kind,
    from,
    to: Math.max(from, to ?? now),
    isOpen: to === undefined,
  }));
}

export function barsOfTurn(turn: Turn, now: number): readonly Bar[] {
  const { askedAt, closedAt } = turn;
  const end = Math.max(askedAt, closedAt ?? now);
  const isOpen = closedAt === undefined;
  if (turn.kind === "compaction") return [{ kind: "compaction", from: askedAt, to: end, isOpen }];
  const { firstAt } = turn;
  if (firstAt === undefined) return [{ kind: "asked", from: askedAt, to: end, isOpen }];
  return [
    { kind: "asked", from: askedAt, to: firstAt, isOpen: false },
    { kind: "answer", from: firstAt, to: end, isOpen },
  ];
}

/** The scale of all bars. */
export interface Scale {
  readonly axis: Axis;
  readonly window: AxisWindow;
  /** Of the column of bars, in pixels; 0 until it was laid out. */
  readonly width: number;
}

export interface TimelineBarsProps extends Scale {
  readonly bars: readonly Bar[];
  readonly state?: TrackState;
  /** Beside the last bar, on the side with space. */
  readonly note?: string;
  readonly noteLook?: string;
  /** When it was tried again: marked on the bars. */
  readonly retriedAt?: readonly number[] | undefined;
}

export function TimelineBars(props: TimelineBarsProps) {
  const { bars, axis, window, width, state, note = "", noteLook = "text-quiet" } = props;
  const { retriedAt = [] } = props;
  const placed = bars.map(({ kind, from, to, isOpen }) => ({
    kind,
    isOpen,
    start: shareOf(window, placeOf(axis, from)),
    end: shareOf(window, placeOf(axis, to)),
  }));
  const start = placed[0]?.start ?? 0;
  const end = placed.at(-1)?.end ?? 0;
  const isInSight = note !== "" && start <= 1 && end >= 0;
  const place = isInSight ? notePlace({ start, end, chars: note.length, width }) : undefined;
  return (
    <span aria-hidden="true" className="bars">
      {keyed(placed.filter((bar) => bar.end >= 0 && bar.start <= 1)).map(({ key, item: bar }) => (
        <span
          key={key}
          className="bar"
          data-bar={bar.kind}
          data-bar-state={state}
          data-open={bar.isOpen || undefined}
          style={{ left: percent(bar.start), width: percent(bar.end - bar.start) }}
        />
      ))}
      {retriedAt.map((at) => {
        const share = shareOf(window, placeOf(axis, at));
        if (share < 0 || share > 1) return null;
        return (
          <span key={at} className="bar-mark" data-mark="retry" style={{ left: percent(share) }} />
        );
      })}
      {place !== undefined && (
        <span
          className={`bar-note ${noteLook}`}
          data-place={place}
          style={noteStyle(place, Math.max(0, start), Math.min(end, 1))}
        >
          {note}
        </span>
      )}
    </span>
  );
}

function noteStyle(place: NotePlace, start: number, end: number): CSSProperties {
  switch (place) {
    case "behind":
      return { left: percent(end), right: 0 };
    case "before":
      return { right: percent(1 - start), left: 0, textAlign: "right" };
    case "on":
      return { left: percent(start) };
    default:
      return place satisfies never;
  }
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
