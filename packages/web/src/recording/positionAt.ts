/** How far a replay is after some more time. Pure. */
import type { LogLine } from "./tape.js";

export interface Place {
  readonly position: number;
  readonly now: number;
}

/** A silence that is longer than `longestGap` counts as that long. */
export function positionAt(
  lines: readonly LogLine[],
  from: Place,
  elapsed: number,
  longestGap: number,
): Place {
  let { position, now } = from;
  let left = elapsed;
  for (let next = lines[position]; next; next = lines[position]) {
    const wait = Math.max(0, next.at - now);
    const shown = Math.min(wait, longestGap);
    if (shown > left) return { position, now: now + left + Math.max(0, wait - longestGap) };
    left -= shown;
    now = Math.max(now, next.at);
    position += 1;
  }
  return { position, now };
}
