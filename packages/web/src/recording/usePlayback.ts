/**
 * The position of a replay, and its movement: by hand, or by the times of the lines at a speed. Lines without times
 * follow one another at an even pace.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { positionAt } from "./positionAt.js";
import type { LogLine } from "./tape.js";

export interface Playback {
  /** The number of played lines. */
  readonly position: number;
  /** The time then. */
  readonly now: number;
  readonly isPlaying: boolean;
  readonly speed: number;
  seek(position: number): void;
  play(): void;
  pause(): void;
  setSpeed(speed: number): void;
}

/** Silences are not sat through: a longer one lasts so long. */
const longestGapMs = 2_000;

const linesPerSecond = 10;

export function usePlayback(
  lines: readonly LogLine[],
  from: "start" | "end",
  hasTimes = true,
): Playback {
  const [place, setPlace] = useState(() => placeAt(lines, from === "end" ? lines.length : 0));
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const current = useRef(place);
  useEffect(() => {
    current.current = place;
  }, [place]);

  useEffect(() => {
    if (!isPlaying) return undefined;
    // Without times the number of a line is its time.
    const pace = hasTimes ? speed : (speed * linesPerSecond) / 1_000;
    let last = performance.now();
    let frame = requestAnimationFrame(step);
    function step(time: number): void {
      const next = positionAt(lines, current.current, (time - last) * pace, longestGapMs);
      last = time;
      current.current = next;
      setPlace(next);
      if (next.position >= lines.length) setIsPlaying(false);
      else frame = requestAnimationFrame(step);
    }
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, speed, lines, hasTimes]);

  const seek = useCallback(
    (position: number) => {
      const next = placeAt(lines, Math.min(lines.length, Math.max(0, position)));
      current.current = next;
      setPlace(next);
    },
    [lines],
  );
  const play = useCallback(() => {
    if (current.current.position >= lines.length) seek(0);
    setIsPlaying(true);
  }, [lines, seek]);
  const pause = useCallback(() => setIsPlaying(false), []);
  return { ...place, isPlaying, speed, seek, play, pause, setSpeed };
}

function placeAt(lines: readonly LogLine[], position: number) {
  return { position, now: lines[Math.max(0, position - 1)]?.at ?? 0 };
}
