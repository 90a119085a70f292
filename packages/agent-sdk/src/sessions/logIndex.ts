/**
 * The positions of the lines of each run, in the log or in the tail, and the newest events themselves, so that a
 * follower that keeps up never reads the disk. It never touches a file.
 */
import type { RunEvent, RunId } from "@callboard/run-log";

/** In bytes; the newline is not counted. */
export interface LinePlace {
  readonly start: number;
  readonly length: number;
}

/** Neighbouring lines of one file. */
export interface LineStretch {
  readonly file: LogFileName;
  readonly places: readonly LinePlace[];
}

/** `log`: what has come to rest, and logs of older versions. `tail`: runs that are under way. */
export type LogFileName = "log" | "tail";

export interface LogIndex {
  /** The runs in the order of their first events. */
  runIds(): readonly RunId[];
  /** The last position of a run; 0 for a run that is not known. */
  seqOf(runId: RunId): number;
  isClosed(runId: RunId): boolean;
  /** Whether a line of the run may represent several events. */
  isRested(runId: RunId): boolean;
  /** The lines after a count of lines: of a run that is not at rest, of its events after a position. */
  linesAfter(runId: RunId, count: number): readonly LineStretch[];
  /** The events after a position, where all of them are still at hand. */
  recentAfter(runId: RunId, seq: number): readonly RunEvent[] | undefined;
  /** Takes in the event that follows its run's last one. */
  add(event: RunEvent, file: LogFileName, place: LinePlace): void;
  /** Adds lines in the log that represent the next events of a run, up to a position. */
  addRested(runId: RunId, places: readonly LinePlace[], seq: number, isClosed: boolean): void;
  /** The runs that have lines in the tail. */
  inTail(): readonly RunId[];
  /** How many events of a run come before its lines in the tail. */
  seqBeforeTail(runId: RunId): number;
  /** The lines of a run in the tail were put to rest: these lines in the log replace them. */
  rest(runId: RunId, places: readonly LinePlace[]): void;
}

interface IndexedRun {
  readonly starts: number[];
  readonly lengths: number[];
  /** How many of the lines are in the log; those after them are in the tail. */
  inLog: number;
  seq: number;
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
    const run: IndexedRun = {
      ...{ starts: [], lengths: [], inLog: 0, seq: 0 },
      ...{ recent: [], recentBytes: 0, isClosed: false },
    };
    runs.set(runId, run);
    return run;
  }

  return {
    runIds: () => [...runs.keys()],
    seqOf: (runId) => runs.get(runId)?.seq ?? 0,
    isClosed: (runId) => runs.get(runId)?.isClosed ?? false,
    isRested(runId) {
      const run = runs.get(runId);
      return run !== undefined && run.starts.length !== run.seq;
    },
    linesAfter(runId, count) {
      const run = runs.get(runId);
      if (!run) return [];
      return [
        { file: "log" as const, places: placesOf(run, count, run.inLog) },
        { file: "tail" as const, places: placesOf(run, Math.max(count, run.inLog)) },
      ].filter(({ places }) => places.length > 0);
    },
    recentAfter(runId, seq) {
      const run = runs.get(runId);
      if (!run) return undefined;
      const skipped = seq - (run.seq - run.recent.length);
      return skipped < 0 ? undefined : run.recent.slice(skipped);
    },
    add(event, file, { start, length }) {
      const run = runOf(event.runId);
      run.starts.push(start);
      run.lengths.push(length);
      if (file === "log") run.inLog = run.starts.length;
      run.seq = event.seq;
      run.isClosed = event.type === "run.closed";
      const isFull = run.recent.length >= mostRecentEvents || run.recentBytes > mostRecentBytes;
      if (isFull) forget(run);
      run.recent.push(event);
      run.recentBytes += length;
    },
    addRested(runId, places, seq, isClosed) {
      const run = runOf(runId);
      put(run, places);
      run.seq = seq;
      run.isClosed = isClosed;
      forget(run);
    },
    inTail: () => [...runs].flatMap(([id, run]) => (run.inLog < run.starts.length ? [id] : [])),
    seqBeforeTail(runId) {
      const run = runs.get(runId);
      return run === undefined ? 0 : run.seq - (run.starts.length - run.inLog);
    },
    rest(runId, places) {
      const run = runs.get(runId);
      if (!run) return;
      run.starts.length = run.inLog;
      run.lengths.length = run.inLog;
      put(run, places);
    },
  };
}

function put(run: IndexedRun, places: readonly LinePlace[]): void {
  for (const { start, length } of places) {
    run.starts.push(start);
    run.lengths.push(length);
  }
  run.inLog = run.starts.length;
}

function placesOf(run: IndexedRun, from: number, to = run.starts.length): readonly LinePlace[] {
  const places: LinePlace[] = [];
  for (let at = from; at < to; at += 1) {
    const start = run.starts[at];
    const length = run.lengths[at];
    if (start !== undefined && length !== undefined) places.push({ start, length });
  }
  return places;
}

function forget(run: IndexedRun): void {
  run.recent = [];
  run.recentBytes = 0;
}
