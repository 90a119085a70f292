/**
 * The calls of two runs side by side: first the same tool with the same arguments, then the same tool. A call without a
 * counterpart is alone. Both sides keep their order.
 */
import type { CallTrack } from "@callboard/run-log/projections";

export type ComparedCall = Pick<CallTrack, "toolName" | "inputText">;

export interface Pair<Call> {
  readonly left?: Call;
  readonly right?: Call;
}

/** Beyond so many pairs to weigh, calls are put beside each other as they come. */
const mostWeighed = 1_000_000;

export function alignedCalls<Call extends ComparedCall>(
  left: readonly Call[],
  right: readonly Call[],
): readonly Pair<Call>[] {
  if (left.length * right.length > mostWeighed) return byPlace(left, right);
  const best = bestFrom(left, right);
  const pairs: Pair<Call>[] = [];
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const [one, other] = [left[l], right[r]];
    const here = best[l]?.[r] ?? 0;
    const together = one && other ? likeness(one, other) : 0;
    if (one && other && together > 0 && here === together + (best[l + 1]?.[r + 1] ?? 0)) {
      pairs.push({ left: one, right: other });
      l += 1;
      r += 1;
    } else if (one && (!other || here === (best[l + 1]?.[r] ?? 0))) {
      pairs.push({ left: one });
      l += 1;
    } else if (other) {
      pairs.push({ right: other });
      r += 1;
    }
  }
  return pairs;
}

/** The likeness that can be had from each place on. */
function bestFrom(left: readonly ComparedCall[], right: readonly ComparedCall[]): number[][] {
  const best = Array.from({ length: left.length + 1 }, () =>
    Array.from({ length: right.length + 1 }, () => 0),
  );
  for (let l = left.length - 1; l >= 0; l -= 1) {
    const [row, below, one] = [best[l], best[l + 1], left[l]];
    if (!row || !below || !one) continue;
    for (let r = right.length - 1; r >= 0; r -= 1) {
      const other = right[r];
      const together = other ? likeness(one, other) + (below[r + 1] ?? 0) : 0;
      row[r] = Math.max(together, below[r] ?? 0, row[r + 1] ?? 0);
    }
  }
  return best;
}

function likeness(one: ComparedCall, other: ComparedCall): number {
  if (one.toolName !== other.toolName) return 0;
  return one.inputText === other.inputText ? 3 : 1;
}

function byPlace<Call>(left: readonly Call[], right: readonly Call[]): readonly Pair<Call>[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => {
    const [one, other] = [left[index], right[index]];
    return { ...(one && { left: one }), ...(other && { right: other }) };
  });
}
