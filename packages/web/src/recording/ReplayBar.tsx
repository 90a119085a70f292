/** The scrubber: any moment of what was recorded, by hand or by time. */
import { durationText } from "@callboard/run-log/projections";
import { memo } from "react";
import { useHasTimes } from "../shell/moment.js";
import { Icon } from "../values/Icon.js";
import type { LogLine } from "./tape.js";
import type { Playback } from "./usePlayback.js";

const speeds = [1, 4, 16] as const;
const mostMarks = 200;

export interface ReplayBarProps {
  readonly playback: Playback;
  readonly lines: readonly LogLine[];
}

export function ReplayBar({ playback, lines }: ReplayBarProps) {
  const { position, now, isPlaying, speed, seek, play, pause, setSpeed } = playback;
  const hasTimes = useHasTimes();
  const origin = lines[0]?.at ?? 0;
  const line = lines[position - 1];
  return (
    <fieldset className="flex flex-wrap items-center gap-2 rounded border border-line bg-raised px-2 py-1.5 text-sm">
      <legend className="sr-only">Replay</legend>
      <button type="button" className="button" onClick={isPlaying ? pause : play}>
        {isPlaying ? "Pause" : "Play"}
      </button>
      <button
        type="button"
        className="button"
        aria-label="One event back"
        onClick={() => seek(position - 1)}
      >
        <Icon name="chevron" className="rotate-180" />
      </button>
      <button
        type="button"
        className="button"
        aria-label="One event on"
        onClick={() => seek(position + 1)}
      >
        <Icon name="chevron" />
      </button>
      <span className="relative min-w-24 grow">
        <input
          type="range"
          aria-label="Position"
          className="block w-full"
          min={0}
          max={lines.length}
          value={position}
          onChange={(event) => {
            pause();
            seek(event.target.valueAsNumber);
          }}
        />
        <Marks lines={lines} />
      </span>
      <select
        aria-label="Speed"
        className="field"
        value={speed}
        onChange={(event) => setSpeed(Number(event.target.value))}
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}×
          </option>
        ))}
      </select>
      <span className="w-full truncate text-quiet text-xs">
        {position} of {lines.length}
        {hasTimes && ` · ${durationText(Math.max(0, now - origin))}`}
        {line && ` · ${line.type}`}
      </span>
    </fieldset>
  );
}

/** The positions of the checker's findings. The list above has their texts. */
const Marks = memo(function Marks({ lines }: { readonly lines: readonly LogLine[] }) {
  const places = lines.flatMap(({ problems }, index) => (problems ? [index + 1] : []));
  if (places.length === 0) return null;
  return (
    <svg
      className="absolute inset-x-2 -bottom-1 h-1.5 w-[calc(100%-1rem)]"
      viewBox="0 0 1000 6"
      preserveAspectRatio="none"
      aria-hidden="true"
      data-marks={places.length}
    >
      {places.slice(0, mostMarks).map((place) => (
        <rect
          key={place}
          x={(place / lines.length) * 1000 - 2}
          width={4}
          height={6}
          className="fill-failed"
        />
      ))}
    </svg>
  );
});
