/**
 * The file changes of a conversation, as one change for each file: from its text before the first call to its text after
 * the last one. If a file was changed between two calls, another change starts there.
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

/** The part of a call that names its changed files. */
export type ChangingCall = CallKey & Pick<CallTrack, "diffs" | "state">;

export function fileChangesOf(tracks: readonly ChangingCall[]): readonly FileChange[] {
  const changes: FileChange[] = [];
  /** The position of the latest change of each file. */
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

/** The folder that contains all of the files, with its last slash; empty if there is none. */
export function commonFolder(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  let end = first.lastIndexOf("/") + 1;
  while (end > 0 && others.some((path) => !path.startsWith(first.slice(0, end)))) {
    end = first.lastIndexOf("/", end - 2) + 1;
  }
  return first.slice(0, end);
}
