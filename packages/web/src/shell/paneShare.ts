/** The share of the right one of two panes, in percent: 0 puts it away, 100 the left one; else both have room. */
const least = 25;
const most = 75;

/** The share that comes nearest to where somebody wants the line. Near to the edge a pane is put away. */
export function boundedShare(value: number): number {
  if (value < least / 2) return 0;
  if (value > (100 + most) / 2) return 100;
  return Math.min(most, Math.max(least, Math.round(value)));
}

/** One step further: on from the last share with room for both to putting one away, and back from there. */
export function steppedShare(value: number, move: number): number {
  const next = value + move;
  if (next > 0 && next < least) return move > 0 ? least : 0;
  if (next > most && next < 100) return move > 0 ? 100 : most;
  return Math.min(100, Math.max(0, next));
}

/** Whether one of the panes is put away. */
export function isAtEdge(value: number): boolean {
  return value === 0 || value === 100;
}
