/** What the calls took together, and how the board is looked at: density, filter, order, zoom. */
import { type CallTrack, durationText } from "@callboard/run-log";
import type { RefObject } from "react";
import type { TrackFilter } from "./filter.js";
import { totalsOf } from "./totals.js";

export const densities = ["compact", "timeline", "events", "tools"] as const;
export type Density = (typeof densities)[number];

const densityNames: Readonly<Record<Density, string>> = {
  compact: "Compact",
  timeline: "Timeline",
  events: "Event log",
  tools: "By tool",
};

export interface BoardBarProps {
  readonly tracks: readonly CallTrack[];
  readonly now: number;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly filter: TrackFilter;
  readonly onFilter: (filter: TrackFilter) => void;
  readonly density: Density;
  readonly onDensity: (density: Density) => void;
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
}

const mostZoom = 64;

export function BoardBar(props: BoardBarProps) {
  const { tracks, now, search, filter, onFilter, density, onDensity, zoom, onZoom } = props;
  return (
    <header className="space-y-2 border-line border-b p-3">
      <Sums tracks={tracks} now={now} />
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <fieldset className="flex">
          <legend className="sr-only">Density</legend>
          {densities.map((name) => (
            <button
              key={name}
              type="button"
              className="button"
              aria-pressed={name === density}
              onClick={() => onDensity(name)}
            >
              {densityNames[name]}
            </button>
          ))}
        </fieldset>
        <input
          ref={search}
          type="search"
          aria-label="Filter calls"
          placeholder="Filter  /"
          className="field w-32 grow"
          value={filter.text}
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <label className="flex items-center gap-1">
          <input
            type="checkbox"
            checked={filter.onlyFailed}
            onChange={(event) => onFilter({ ...filter, onlyFailed: event.target.checked })}
          />
          Failures only
        </label>
        <label className="flex items-center gap-1">
          <input
            type="checkbox"
            checked={filter.errorsFirst}
            onChange={(event) => onFilter({ ...filter, errorsFirst: event.target.checked })}
          />
          Errors first
        </label>
        {density === "timeline" && (
          <span className="ml-auto flex items-center gap-1">
            <button
              type="button"
              className="button"
              aria-label="Zoom out"
              disabled={zoom === 1}
              onClick={() => onZoom(Math.max(1, zoom / 2))}
            >
              −
            </button>
            <span className="w-10 text-center text-quiet">{zoom}×</span>
            <button
              type="button"
              className="button"
              aria-label="Zoom in"
              disabled={zoom >= mostZoom}
              onClick={() => onZoom(Math.min(mostZoom, zoom * 2))}
            >
              +
            </button>
          </span>
        )}
      </div>
    </header>
  );
}

function Sums({ tracks, now }: { readonly tracks: readonly CallTrack[]; readonly now: number }) {
  const totals = totalsOf(tracks, now);
  const parts = [
    `${totals.calls} ${totals.calls === 1 ? "call" : "calls"}`,
    ...(totals.open > 0 ? [`${totals.open} open`] : []),
    `${totals.failed} failed`,
    ...(totals.stopped > 0 ? [`${totals.stopped} stopped`] : []),
    `ran ${durationText(totals.ranMs)}`,
    ...(totals.waitedMs > 0 ? [`waited ${durationText(totals.waitedMs)}`] : []),
    ...(totals.tokens > 0 ? [`${totals.tokens} tokens`] : []),
    ...(totals.costUsd > 0 ? [`$${totals.costUsd.toFixed(4)}`] : []),
  ];
  return (
    <p className="text-quiet text-sm" data-sums="">
      {parts.join(" · ")}
    </p>
  );
}
