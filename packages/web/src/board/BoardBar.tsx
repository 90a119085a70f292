/** The view settings of the board: density, filter, order, and time window. */
import type { RefObject } from "react";
import { IconButton } from "../shell/HeaderParts.js";
import type { TrackFilter } from "./filter.js";
import type { AxisControl } from "./useAxisWindow.js";

const densities = ["compact", "timeline", "changes", "events", "tools"] as const;
export type Density = (typeof densities)[number];

const densityNames: Readonly<Record<Density, string>> = {
  compact: "List",
  timeline: "Timeline",
  changes: "Changes",
  events: "Events",
  tools: "Tools",
};

export interface BoardBarProps {
  readonly search: RefObject<HTMLInputElement | null>;
  readonly filter: TrackFilter;
  readonly onFilter: (filter: TrackFilter) => void;
  readonly density: Density;
  readonly onDensity: (density: Density) => void;
}

export function BoardBar(props: BoardBarProps) {
  const { search, filter, onFilter, density, onDensity } = props;
  const hasRows = density === "timeline" || density === "compact";
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <fieldset className="segments">
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
      {hasRows && (
        <span className="flex min-w-0 grow basis-48 gap-2">
          <input
            ref={search}
            type="search"
            aria-label="Filter calls"
            placeholder="Filter"
            title="Key: /"
            className="field min-w-20 grow basis-20"
            value={filter.text}
            onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          />
          <select
            aria-label="Which calls"
            className="field"
            value={choiceOf(filter)}
            onChange={(event) => onFilter({ ...filter, ...choices[event.target.value] })}
          >
            <option value="all">All calls</option>
            <option value="failed">Failures only</option>
            <option value="first">Errors first</option>
          </select>
        </span>
      )}
    </div>
  );
}

type Order = Pick<TrackFilter, "onlyFailed" | "errorsFirst">;

const choices: Readonly<Record<string, Order>> = {
  all: { onlyFailed: false, errorsFirst: false },
  failed: { onlyFailed: true, errorsFirst: false },
  first: { onlyFailed: false, errorsFirst: true },
};

function choiceOf({ onlyFailed, errorsFirst }: Order): string {
  if (onlyFailed) return "failed";
  return errorsFirst ? "first" : "all";
}

export function Zoom({ control }: { readonly control: AxisControl }) {
  const { zoom, zoomBy, reset } = control;
  const isWhole = zoom <= 1;
  const text = zoom < 10 ? zoom.toFixed(1).replace(".0", "") : Math.round(zoom).toString();
  return (
    <span className="flex shrink-0 items-center">
      <IconButton icon="minus" label="Zoom out" isDisabled={isWhole} onClick={() => zoomBy(0.5)} />
      <button
        type="button"
        className="action min-w-8 text-center text-xs tabular-nums"
        aria-label={`Zoom: ${text} times. Show everything`}
        disabled={isWhole}
        onClick={reset}
      >
        {text}×
      </button>
      <IconButton icon="plus" label="Zoom in" onClick={() => zoomBy(2)} />
    </span>
  );
}
