/** The scrubber: any moment of what was recorded, by hand or by time. */
import { durationText } from "@callboard/run-log";
import type { LogLine } from "./tape.js";
import type { Playback } from "./usePlayback.js";

const speeds = [1, 4, 16] as const;

export interface ReplayBarProps {
  readonly playback: Playback;
  readonly lines: readonly LogLine[];
}

export function ReplayBar({ playback, lines }: ReplayBarProps) {
  const { position, now, isPlaying, speed, seek, play, pause, setSpeed } = playback;
  const origin = lines[0]?.at ?? 0;
  const line = lines[position - 1];
  return (
    <fieldset className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2 text-sm">
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
        ◂
      </button>
      <button
        type="button"
        className="button"
        aria-label="One event on"
        onClick={() => seek(position + 1)}
      >
        ▸
      </button>
      <input
        type="range"
        aria-label="Position"
        className="min-w-24 grow"
        min={0}
        max={lines.length}
        value={position}
        onChange={(event) => {
          pause();
          seek(event.target.valueAsNumber);
        }}
      />
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
        {position} of {lines.length} · {durationText(Math.max(0, now - origin))}
        {line && ` · ${line.type}`}
      </span>
    </fieldset>
  );
}
