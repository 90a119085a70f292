/**
 * Where each event of a session's log stands in the file, and the newest events themselves, so that a
 * follower that keeps up never reads the disk. It never touches the file.
 */
import type { RunEvent, RunId } from "@callboard/run-log";

/** In bytes; the newline is not counted. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

export interface LogIndex {
  /** The runs in the order of their first events. */
  runIds(): readonly RunId[];
  /** The last position of a run; 0 for a run that is not known. */
  seqOf(runId: RunId): number;
  isClosed(runId: RunId): boolean;
  placeOf(runId: RunId, seq: number): LinePlace | undefined;
  /** The events after a position, where all of them are still at hand. */
  recentAfter(runId: RunId, seq: number): readonly RunEvent[] | undefined;
  /** Takes in the event that follows its run's last one. */
  add(event: RunEvent, place: LinePlace): void;
}

interface IndexedRun {
  readonly starts: number[];
  readonly lengths: number[];
  recent: RunEvent[];
  recentBytes: number;
  isClosed: boolean;
}

const mostRecentEvents = 512;
const mostRecentBytes = 256 * 1024;

export function createLogIndex(): LogIndex {
  const runs = new Map<RunId, IndexedRun>();

  function runOf(runId: RunId): IndexedRun {
    const known = runs.get(runId);
    if (known) return known;
    for (const run of runs.values()) if (run.isClosed) forget(run);
    const run = { starts: [], lengths: [], recent: [], recentBytes: 0, isClosed: false };
    runs.set(runId, run);
    return run;
  }

  return {
    runIds: () => [...runs.keys()],
    seqOf: (runId) => runs.get(runId)?.starts.length ?? 0,
    isClosed: (runId) => runs.get(runId)?.isClosed ?? false,
    placeOf(runId, seq) {
      const run = runs.get(runId);
      const start = run?.starts[seq - 1];
      const length = run?.lengths[seq - 1];
      return start === undefined || length === undefined ? undefined : { start, length };
    },
    recentAfter(runId, seq) {
      const run = runs.get(runId);
      if (!run) return undefined;
      const skipped = seq - (run.starts.length - run.recent.length);
      return skipped < 0 ? undefined : run.recent.slice(skipped);
    },
    add(event, { start, length }) {
      const run = runOf(event.runId);
      run.starts.push(start);
      run.lengths.push(length);
      run.isClosed = event.type === "run.closed";
      const isFull = run.recent.length >= mostRecentEvents || run.recentBytes > mostRecentBytes;
      if (isFull) forget(run);
      run.recent.push(event);
      run.recentBytes += length;
    },
  };
}

function forget(run: IndexedRun): void {
  run.recent = [];
  run.recentBytes = 0;
}
