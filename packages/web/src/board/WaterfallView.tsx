/** A call's phases as bars on one scale of time. Told in words beside it, so it is hidden from readers. */
import type { CallTrack, TrackPhase } from "@callboard/run-log";
import { durationText } from "@callboard/run-log";
import { useHasTimes } from "../shell/moment.js";
import { countText } from "../values/countText.js";
import { keyed } from "../values/keyed.js";
import { barsOf, type TimeRange } from "./waterfall.js";

const fills: Readonly<Record<TrackPhase["kind"], string>> = {
  arguments: "fill-arguments",
  approval: "fill-approval",
  queued: "fill-queued/40",
  running: "fill-running",
};

export interface WaterfallBarsProps {
  readonly track: CallTrack;
  readonly range: TimeRange;
  readonly now: number;
}

export function WaterfallBars({ track, range, now }: WaterfallBarsProps) {
  return (
    <svg
      className="mt-0.5 block h-3 w-full"
      viewBox="0 0 1000 12"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {keyed(barsOf(track, range, now)).map(({ key, item: bar }) => (
        <rect
          key={key}
          x={bar.start * 1000}
          y={bar.kind === "running" ? 1 : 3}
          width={Math.max(2, bar.width * 1000)}
          height={bar.kind === "running" ? 10 : 6}
          className={fillOf(track, bar.kind)}
          fillOpacity={bar.isOpen ? 0.45 : 1}
          stroke={bar.isOpen ? "currentColor" : undefined}
          strokeDasharray={bar.isOpen ? "4 3" : undefined}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}

function fillOf({ state }: CallTrack, kind: TrackPhase["kind"]): string {
  if (kind !== "running") return fills[kind];
  if (state === "failed") return "fill-failed";
  return state === "stopped" ? "fill-stopped" : fills.running;
}

/** The scale above the rows, from the start of everything. */
export function WaterfallScale({
  range,
  origin,
}: {
  readonly range: TimeRange;
  readonly origin: number;
}) {
  const hasTimes = useHasTimes();
  const at = (share: number): string => {
    const span = range.from - origin + share * (range.to - range.from);
    return hasTimes ? durationText(span) : countText(Math.round(span), "line");
  };
  return (
    <div className="flex justify-between px-3 text-quiet text-xs" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <span key={share}>{at(share)}</span>
      ))}
    </div>
  );
}

const legend: readonly (readonly [TrackPhase["kind"], string])[] = [
  ["arguments", "writing arguments"],
  ["approval", "waiting for approval"],
  ["queued", "queued"],
  ["running", "running"],
];

export function WaterfallLegend() {
  return (
    <p className="flex flex-wrap gap-x-3 px-3 pt-1 text-quiet text-xs">
      {legend.map(([kind, word]) => (
        <span key={kind} className="flex items-center gap-1">
          <svg className="size-2" viewBox="0 0 8 8" aria-hidden="true">
            <rect width="8" height="8" className={fills[kind]} />
          </svg>
          {word}
        </span>
      ))}
    </p>
  );
}
