/**
 * The rows of the board: a heading for each run, and below it the turns of its model and its calls, in the order of
 * their starts. The rows of a nested agent are below its call. Runs and calls can be folded.
 */
import type { RunView, Turn } from "@callboard/client";
import type { CallTrack } from "@callboard/run-log/projections";
import { hasFailed } from "./filter.js";
import { parentKey, trackKey } from "./trackKey.js";

export interface RunRow {
  readonly type: "run";
  readonly key: string;
  readonly run: RunView;
  readonly calls: number;
  readonly failed: number;
  readonly isFolded: boolean;
}

export interface TurnRow {
  readonly type: "turn";
  readonly key: string;
  readonly turn: Turn;
  readonly depth: number;
}

export interface CallRow {
  readonly type: "call";
  readonly key: string;
  readonly track: CallTrack;
  /** 0 for a call of the run's own model, 1 for one of its nested agent, and so on. */
  readonly depth: number;
  /** Absent if it is empty. */
  readonly isFolded?: boolean;
}

export type BoardRow = RunRow | TurnRow | CallRow;

export interface RowsOptions {
  readonly tracks: readonly CallTrack[];
  readonly turns: readonly Turn[];
  readonly runs: readonly RunView[];
  /** Keys of the rows that are folded. */
  readonly folded: ReadonlySet<string>;
}

type Entry = CallTrack | Turn;

/** A call without its parent has a row of its own. Unknown runs have no heading. */
export function boardRows({ tracks, turns, runs, folded }: RowsOptions): readonly BoardRow[] {
  const known = new Set(tracks.map(trackKey));
  const children = new Map<string, Entry[]>();
  const counts = new Map<string, { calls: number; failed: number }>();
  const add = (entry: Entry, self: string | undefined): void => {
    const parent = parentKey(entry) ?? "";
    const place = known.has(parent) && parent !== self ? parent : runKey(entry.runId);
    const siblings = children.get(place);
    if (siblings) siblings.push(entry);
    else children.set(place, [entry]);
  };
  for (const turn of turns) add(turn, undefined);
  for (const track of tracks) {
    add(track, trackKey(track));
    const count = counts.get(track.runId) ?? { calls: 0, failed: 0 };
    count.calls += 1;
    if (hasFailed(track)) count.failed += 1;
    counts.set(track.runId, count);
  }
  for (const entries of children.values()) entries.sort((one, other) => begin(one) - begin(other));

  const rows: BoardRow[] = [];
  function push(place: string): void {
    const open = placed(children.get(place), 0);
    for (let next = open.pop(); next; next = open.pop()) {
      const { entry, depth } = next;
      if ("turnId" in entry) {
        rows.push({ type: "turn", key: entry.turnId, turn: entry, depth });
        continue;
      }
      const key = trackKey(entry);
      const inside = children.get(key);
      const isFolded = folded.has(key);
      rows.push({ type: "call", key, track: entry, depth, ...(inside && { isFolded }) });
      if (!isFolded) open.push(...placed(inside, depth + 1));
    }
  }

  const shown = new Set<string>();
  for (const run of runs) {
    const key = runKey(run.runId);
    shown.add(run.runId);
    const count = counts.get(run.runId) ?? { calls: 0, failed: 0 };
    const isFolded = folded.has(key);
    rows.push({ type: "run", key, run, ...count, isFolded });
    if (!isFolded) push(key);
  }
  for (const { runId } of tracks) {
    if (shown.has(runId)) continue;
    shown.add(runId);
    push(runKey(runId));
  }
  return rows;
}

/** The last first: they are taken from the end. */
function placed(entries: readonly Entry[] = [], depth: number): { entry: Entry; depth: number }[] {
  return entries.map((entry) => ({ entry, depth })).reverse();
}

export function runKey(runId: string): string {
  return `run ${runId}`;
}

function begin(entry: Entry): number {
  return "turnId" in entry ? entry.askedAt : entry.openedAt;
}

/** The calls alone, failures first: an order in which no call is inside another. */
export function failuresFirst(tracks: readonly CallTrack[]): readonly CallRow[] {
  const row = (track: CallTrack): CallRow => ({
    type: "call",
    key: trackKey(track),
    track,
    depth: 0,
  });
  const failed = tracks.filter(hasFailed);
  return [...failed, ...tracks.filter((track) => !hasFailed(track))].map(row);
}
