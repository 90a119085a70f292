/**
 * What a conversation changed in files, as one change for each file: from what it was before the first call to what the
 * last one left. Where a file was not found as the call before had left it, a change of its own begins there.
 */
import type { Diff } from "@callboard/run-log";
import type { CallTrack } from "@callboard/run-log/projections";
import type { CallKey } from "./trackKey.js";

export interface FileChange {
  readonly key: string;
  readonly diff: Diff;
  /** The calls that made it, in their order. */
  readonly calls: readonly CallKey[];
}

/** What of a call says which files it changed. */
export type ChangingCall = CallKey & Pick<CallTrack, "diffs" | "state">;

export function fileChangesOf(tracks: readonly ChangingCall[]): readonly FileChange[] {
  const changes: FileChange[] = [];
  /** Where the latest change of each file stands. */
  const latest = new Map<string, number>();
  for (const { diffs, state, runId, callId } of tracks) {
    if (state !== "done") continue;
    const call = { runId, callId };
    for (const diff of diffs) {
      const at = latest.get(diff.path);
      const known = at === undefined ? undefined : changes[at];
      if (at !== undefined && known?.diff.newText === (diff.oldText ?? "")) {
        const joined = { ...known.diff, newText: diff.newText };
        changes[at] = { ...known, diff: joined, calls: [...known.calls, call] };
        continue;
      }
      latest.set(diff.path, changes.length);
      changes.push({ key: `${changes.length} ${diff.path}`, diff, calls: [call] });
    }
  }
  return changes
    .filter(({ diff }) => diff.oldText !== diff.newText)
    .toSorted((one, other) => (one.diff.path < other.diff.path ? -1 : 1));
}
