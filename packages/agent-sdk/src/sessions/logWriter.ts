/**
 * The one writer of a session's file. Batches are written in the order of the calls; those that wait during a flush are
 * written together and share the next flush. A failed write is removed, and nothing is written after it: there is never
 * a gap, and an unwritten batch is never reported as written.
 */
import type { RunEvent, RunId } from "@callboard/run-log";
import type { Appended } from "@callboard/run-log/writing";
import { type BatchLines, batchLinesOf } from "./batchLines.js";
import type { LogIndex } from "./logIndex.js";

/**
 * When written data is flushed to disk, before `append` resolves. `closings`: for a batch that ends a call or a run.
 * Unflushed data survives the end of the process, but not of the machine.
 */
export type Flush = "closings" | "always" | "never";

/** A file opened for appending. */
export interface AppendFile {
  /** Writes all of it or throws. It does not wait for the disk. */
  write(bytes: Uint8Array): void;
  flush(): Promise<void>;
  truncate(size: number): void;
}

export interface LogWriter {
  /** Lets runs come to rest that have ended. Nothing may be appended meanwhile. */
  restEnded(): Promise<void>;
  append(runId: RunId, expectedSeq: number, events: readonly RunEvent[]): Promise<Appended>;
  /** Resolves when nothing is being written and what was written is flushed, unless that is never done. */
  settle(): Promise<void>;
}

export interface LogWriterOptions {
  readonly file: AppendFile;
  /** The bytes that the file holds. */
  readonly size: number;
  readonly index: LogIndex;
  readonly flush: Flush;
  /** Told once an event is in the index. */
  readonly onAppended: (runId: RunId) => void;
  /** Told once: the error with which this and every later append is refused. */
  readonly onFailure: (cause: unknown) => Error;
  /** Told when what a failed write left behind could not be taken back; opening repairs it. */
  readonly onLeftover: (cause: unknown) => void;
  /** Called after a run has ended, while nothing is written. Gives the bytes that the file then holds. */
  readonly onRunsEnded?: (size: number) => Promise<number>;
}

interface Request {
  readonly runId: RunId;
  readonly expectedSeq: number;
  readonly events: readonly RunEvent[];
  readonly lines: BatchLines;
  readonly resolve: (answer: Appended) => void;
  readonly reject: (error: Error) => void;
}

export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { file, index, flush } = options;
  let size = options.size;
  let queue: Request[] = [];
  let isDraining = false;
  let drained: Promise<void> = Promise.resolve();
  let failure: Error | undefined;
  let isFlushed = true;

  async function drain(): Promise<void> {
    isDraining = true;
    while (queue.length > 0) {
      const group = queue;
      queue = [];
      if (failure === undefined) await writeGroup(group);
      else for (const { reject } of group) reject(failure);
      if (failure === undefined && group.some(endsRun)) await restEnded();
    }
    isDraining = false;
  }

  async function restEnded(): Promise<void> {
    if (options.onRunsEnded) size = await options.onRunsEnded(size);
  }

  function writeGroup(group: readonly Request[]): Promise<void> | undefined {
    const answers = answersOf(group, index);
    const accepted = group.filter(
      ({ events }, at) => events.length > 0 && answers[at]?.status === "appended",
    );
    const bytes = Buffer.from(accepted.map(({ lines }) => lines.text).join(""));

    const admit = (): void => {
      for (const { events, lines } of accepted) {
        for (const [at, event] of events.entries()) {
          const length = lines.lengths[at] ?? 0;
          index.add(event, "tail", { start: size, length });
          size += length + 1;
        }
      }
      for (const { runId } of accepted) options.onAppended(runId);
      for (const [at, { resolve }] of group.entries()) {
        const answer = answers[at];
        if (answer) resolve(answer);
      }
    };

    const fail = (cause: unknown): void => {
      failure = options.onFailure(cause);
      try {
        file.truncate(size);
      } catch (error) {
        options.onLeftover(error);
      }
      for (const { reject } of group) reject(failure);
    };

    try {
      if (bytes.length > 0) file.write(bytes);
    } catch (cause) {
      fail(cause);
      return undefined;
    }
    if (bytes.length > 0) isFlushed = false;
    if (!accepted.some(({ events }) => isFlushedAtOnce(events, flush))) {
      admit();
      return undefined;
    }
    return file.flush().then(() => {
      isFlushed = true;
      admit();
    }, fail);
  }

  return {
    async restEnded() {
      await drained;
      await restEnded();
    },
    append(runId, expectedSeq, events) {
      const stranger = events.find((event) => event.runId !== runId);
      if (stranger) {
        const problem = `an event of run ${stranger.runId} in the log of run ${runId}`;
        return Promise.reject(new TypeError(problem));
      }
      return new Promise((resolve, reject) => {
        const lines = batchLinesOf(events);
        queue.push({ runId, expectedSeq, events: [...events], lines, resolve, reject });
        if (!isDraining) drained = drain();
      });
    },
    async settle() {
      await drained;
      if (isFlushed || failure !== undefined || flush === "never") return;
      await file.flush();
      isFlushed = true;
    },
  };
}

function endsRun({ events }: Request): boolean {
  return events.some(({ type }) => type === "run.closed");
}

/** Each request is judged as if those before it were written, as they will be, or all of them fail. */
function answersOf(group: readonly Request[], index: LogIndex): readonly Appended[] {
  const seqs = new Map<RunId, number>();
  return group.map(({ runId, expectedSeq, events }) => {
    const seq = seqs.get(runId) ?? index.seqOf(runId);
    const isMisplaced = events.some((event, at) => event.seq !== expectedSeq + 1 + at);
    if (seq !== expectedSeq || isMisplaced) return { status: "conflict", seq };
    seqs.set(runId, seq + events.length);
    return { status: "appended", seq: seq + events.length };
  });
}

function isFlushedAtOnce(events: readonly RunEvent[], flush: Flush): boolean {
  switch (flush) {
    case "always":
      return true;
    case "never":
      return false;
    case "closings":
      return events.some(({ type }) => type === "call.closed" || type === "run.closed");
    default:
      return flush satisfies never;
  }
}
