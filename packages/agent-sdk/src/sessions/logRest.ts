/**
 * Moves runs that have ended from the tail to the log, where a part is its closing with its rhythm. A run is in the log
 * completely, and flushed to disk, before it is removed from the tail; a run that is in both is the same in both. If
 * this fails the run stays in the tail, and nothing is lost.
 */
import type { RunId } from "@callboard/run-log";
import { restedLog } from "@callboard/run-log/writing";
import { restedLinesOf } from "./batchLines.js";
import type { LinePlace, LogIndex } from "./logIndex.js";
import type { LogReader } from "./logReader.js";
import type { AppendFile, Flush } from "./logWriter.js";

export interface LogRestOptions {
  readonly log: AppendFile;
  /** The bytes that the log holds. */
  readonly size: number;
  readonly tail: Pick<AppendFile, "truncate">;
  readonly index: LogIndex;
  readonly reader: LogReader;
  readonly flush: Flush;
  /** Reported once: no run is put to rest until the session is opened again. */
  readonly onFailure: (cause: unknown) => void;
}

export interface LogRest {
  /** Gives the bytes that the tail holds afterwards. Nothing may be appended to it meanwhile. */
  rest(tailSize: number): Promise<number>;
}

export function createLogRest(options: LogRestOptions): LogRest {
  const { log, tail, index, reader, flush } = options;
  let { size } = options;
  let hasFailed = false;

  async function restRun(runId: RunId): Promise<void> {
    const before = index.seqBeforeTail(runId);
    const events = (await reader.lines(runId)).map(({ event }) => event);
    const lines = restedLinesOf(restedLog(events.filter(({ seq }) => seq > before)));
    log.write(Buffer.from(lines.text));
    if (flush !== "never") await log.flush();
    const places: LinePlace[] = [];
    for (const length of lines.lengths) {
      places.push({ start: size, length });
      size += length + 1;
    }
    index.rest(runId, places);
  }

  function takeBack(cause: unknown): void {
    hasFailed = true;
    options.onFailure(cause);
    try {
      log.truncate(size);
    } catch (error) {
      options.onFailure(error);
    }
  }

  return {
    async rest(tailSize) {
      for (const runId of index.inTail()) {
        // Runs are in the log in the order of their starts.
        if (!index.isClosed(runId) || hasFailed) break;
        await restRun(runId).catch(takeBack);
      }
      if (tailSize === 0 || index.inTail().length > 0) return tailSize;
      tail.truncate(0);
      return 0;
    },
  };
}
