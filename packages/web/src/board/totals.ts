/** The totals of calls: for a run, for each tool, and over time. Pure sums over tracks. */
import type { CallTrack } from "@callboard/run-log/projections";
import { currentToolName } from "../calls/toolNames.js";
import { shownMsIn } from "./phasesOf.js";
import { parentKey, trackKey } from "./trackKey.js";

export interface Totals {
  readonly calls: number;
  readonly failed: number;
  readonly stopped: number;
  readonly open: number;
  readonly ranMs: number;
  readonly waitedMs: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly retries: number;
}

export function totalsOf(tracks: readonly CallTrack[], now: number): Totals {
  const count = (test: (track: CallTrack) => boolean): number => tracks.filter(test).length;
  const sum = (value: (track: CallTrack) => number): number =>
    tracks.reduce((total, track) => total + value(track), 0);
  return {
    calls: tracks.length,
    failed: count(({ state }) => state === "failed"),
    stopped: count(({ state }) => state === "stopped"),
    open: count(({ closedAt }) => closedAt === undefined),
    ranMs: sum((track) => shownMsIn(track, "running", track.closedAt ?? now)),
    waitedMs: sum((track) => shownMsIn(track, "approval", track.closedAt ?? now)),
    tokens: sum(({ usage }) => (usage ? usage.inputTokens + usage.outputTokens : 0)),
    costUsd: sum(({ usage }) => usage?.costUsd ?? 0),
    retries: sum(({ retries }) => retries),
  };
}

export interface ToolTotals extends Totals {
  readonly toolName: string;
}

/** The tools that took longest first; under the names that they have now. */
export function totalsByTool(tracks: readonly CallTrack[], now: number): readonly ToolTotals[] {
  const byTool = grouped(tracks, ({ toolName }) => currentToolName(toolName));
  return [...byTool]
    .map(([toolName, own]) => ({ toolName, ...totalsOf(own, now) }))
    .sort((one, other) => other.ranMs - one.ranMs || other.calls - one.calls);
}

export interface TimeBucket
  extends Pick<Totals, "calls" | "failed" | "ranMs" | "tokens" | "costUsd"> {
  readonly from: number;
  readonly to: number;
}

/** The time from the first opening to now in equal parts; a call counts in the part of its opening. */
export function bucketsOf(
  tracks: readonly CallTrack[],
  now: number,
  parts: number,
): readonly TimeBucket[] {
  if (tracks.length === 0) return [];
  const from = tracks.reduce(
    (least, one) => Math.min(least, one.openedAt),
    Number.POSITIVE_INFINITY,
  );
  const last = tracks.reduce((most, one) => Math.max(most, one.closedAt ?? 0), now);
  const to = Math.max(last, from + parts);
  const size = (to - from) / parts;
  const own = grouped(tracks, ({ openedAt }) =>
    Math.min(parts - 1, Math.floor((openedAt - from) / size)),
  );
  return Array.from({ length: parts }, (_, index) => {
    const { calls, failed, ranMs, tokens, costUsd } = totalsOf(own.get(index) ?? [], now);
    const sums = { calls, failed, ranMs, tokens, costUsd };
    return { from: from + index * size, to: from + (index + 1) * size, ...sums };
  });
}

export type Nested = Pick<Totals, "calls" | "ranMs" | "costUsd">;

/** The totals of the calls below each call, at any depth; by `trackKey`. */
export function nestedTotals(
  tracks: readonly CallTrack[],
  now: number,
): ReadonlyMap<string, Nested> {
  const parents = new Map(tracks.map((track) => [trackKey(track), parentKey(track)]));
  const sums = new Map<string, Nested>();
  for (const track of tracks) {
    const ranMs = shownMsIn(track, "running", track.closedAt ?? now);
    const costUsd = track.usage?.costUsd ?? 0;
    const seen = new Set<string>();
    let above = parentKey(track);
    while (above !== undefined && parents.has(above) && !seen.has(above)) {
      const sum = sums.get(above) ?? { calls: 0, ranMs: 0, costUsd: 0 };
      sums.set(above, {
        calls: sum.calls + 1,
        ranMs: sum.ranMs + ranMs,
        costUsd: sum.costUsd + costUsd,
      });
      seen.add(above);
      above = parents.get(above);
    }
  }
  return sums;
}

function grouped<Key>(
  tracks: readonly CallTrack[],
  keyOf: (track: CallTrack) => Key,
): ReadonlyMap<Key, readonly CallTrack[]> {
  const groups = new Map<Key, CallTrack[]>();
  for (const track of tracks) {
    const group = groups.get(keyOf(track));
    if (group) group.push(track);
    else groups.set(keyOf(track), [track]);
  }
  return groups;
}
