/** The share of the right one of two panes, in percent: 0 hides it, 100 hides the left one; otherwise both are visible. */
const least = 25;
const most = 75;

/** The nearest valid share to the dragged position. Near the edge a pane is hidden. */
export function boundedShare(value: number): number {
  if (value < least / 2) return 0;
  if (value > (100 + most) / 2) return 100;
  return Math.min(most, Math.max(least, Math.round(value)));
}

/** One step: from the last share with both visible to hiding one, and back. */
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
