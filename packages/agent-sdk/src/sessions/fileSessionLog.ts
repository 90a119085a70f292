/**
 * One open session on disk: its files, its index, its writer and its followers. It assumes that the files are repaired
 * and that the lock is held; it opens none of them.
 */
import { ftruncateSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { RunEvent, RunId } from "@callboard/run-log";
import { isDelta } from "@callboard/run-log/writing";
import type { Logger } from "../types/logger.js";
import type { SessionLog } from "../types/sessions.js";
import type { LogIndex } from "./logIndex.js";
import { createLogReader, type LogFiles } from "./logReader.js";
import { createLogRest } from "./logRest.js";
import { createChangeSignal, createTail } from "./logTail.js";
import { type AppendFile, createLogWriter, type Flush } from "./logWriter.js";
import { SessionClosedError, SessionWriteError } from "./sessionErrors.js";
import type { SessionLock } from "./sessionLock.js";
import type { AnswerRequest } from "./sessionRequests.js";

export interface FileSessionLog extends SessionLog {
  /** How many tails wait for events: 0 when every reader has left. */
  readonly waitingTails: number;
  history(): AsyncIterable<readonly RunEvent[]>;
  /** Lets runs come to rest that had ended when the session was opened. */
  restEnded(): Promise<void>;
}

export interface FileSessionParts {
  readonly sessionId: string;
  readonly files: LogFiles;
  /** The bytes that each file holds. */
  readonly sizes: Readonly<Record<keyof LogFiles, number>>;
  readonly index: LogIndex;
  /** What the scan read of each run. It is returned once, then dropped. */
  readonly past: Map<RunId, readonly RunEvent[]>;
  readonly lock: SessionLock;
  readonly flush: Flush;
  readonly logger: Logger;
  /** Receives requests of other programs; gives what ends it. */
  readonly receive: (answer: AnswerRequest) => () => Promise<void>;
  /** Called at the end if the tail is empty, before the lock is released. */
  readonly onEmptyTail?: () => Promise<void>;
}

const pageEvents = 256;

export function createFileSessionLog(parts: FileSessionParts): FileSessionLog {
  const { sessionId, files, index, lock, logger, past } = parts;
  const news = createChangeSignal();
  const reader = createLogReader(files, index);
  let closing: Promise<void> | undefined;
  let failure: SessionWriteError | undefined;
  let stopReceiving: (() => Promise<void>) | undefined;

  const tail = appendFileOf(files.tail);
  const rest = createLogRest({
    log: appendFileOf(files.log),
    size: parts.sizes.log,
    ...{ tail, index, reader, flush: parts.flush },
    onFailure(cause) {
      const problem = String(cause);
      logger.error(
        "Moving an ended run from tail.jsonl to the log failed; it stays in tail.jsonl.",
        { sessionId, problem },
      );
    },
  });
  const writer = createLogWriter({
    file: tail,
    size: parts.sizes.tail,
    index,
    flush: parts.flush,
    onAppended: news.tell,
    onRunsEnded: rest.rest,
    onFailure(cause) {
      failure = new SessionWriteError(sessionId, cause);
      logger.error("Writing a session failed.", { sessionId, problem: failure.message });
      news.tellAll();
      return failure;
    },
    onLeftover(cause) {
      const problem = String(cause);
      logger.error("Removing a failed write from the end of a session log failed.", {
        sessionId,
        problem,
      });
    },
  });

  function assertOpen(): void {
    if (closing !== undefined) throw new SessionClosedError(sessionId);
  }

  async function close(): Promise<void> {
    try {
      await writer.settle();
    } finally {
      await stopReceiving?.();
      news.tellAll();
      await files.tail.close();
      await files.log.close();
      if (index.inTail().length === 0) await parts.onEmptyTail?.();
      lock.release();
    }
  }

  async function read(
    runId: RunId,
    {
      after,
      limit = Number.POSITIVE_INFINITY,
    }: { readonly after: number; readonly limit?: number },
  ): Promise<readonly RunEvent[]> {
    assertOpen();
    const found: RunEvent[] = [];
    const last = Math.min(index.seqOf(runId), after + limit);
    while (after + found.length < last) {
      assertOpen();
      const from = after + found.length;
      for (const event of await reader.page(runId, { after: from, limit: last - from })) {
        found.push(event);
      }
    }
    return found;
  }

  return {
    sessionId,
    get waitingTails() {
      return news.waiting;
    },
    runIds: async () => index.runIds(),
    restEnded: writer.restEnded,

    async append(runId, expectedSeq, events) {
      assertOpen();
      return writer.append(runId, expectedSeq, events);
    },

    read,

    async *history() {
      for (const runId of index.runIds()) {
        const known = past.get(runId);
        past.delete(runId);
        if (known !== undefined && known.at(-1)?.seq === index.seqOf(runId)) {
          yield known;
          continue;
        }
        assertOpen();
        const events = await read(runId, { after: 0 });
        yield index.isClosed(runId) ? events.filter((event) => !isDelta(event)) : events;
      }
    },

    tail: (runId, { after }) =>
      createTail(
        {
          async pageAfter(seq) {
            if (index.seqOf(runId) <= seq) {
              if (failure && !index.isClosed(runId)) throw failure;
              return [];
            }
            assertOpen();
            return reader.page(runId, { after: seq, limit: pageEvents });
          },
          lastSeq: () => index.seqOf(runId),
          isOver: () => index.isClosed(runId) || closing !== undefined,
          onChange: (wake) => news.onChange(runId, wake),
        },
        after,
      ),

    onRequest(answer) {
      assertOpen();
      stopReceiving ??= parts.receive(answer);
    },

    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Writing goes to the system's memory and takes microseconds, so it is done in place: handing it to
 * another thread costs ten times as much. Only flushing waits for the disk.
 */
function appendFileOf(file: FileHandle): AppendFile {
  return {
    write(bytes) {
      let done = 0;
      while (done < bytes.length) done += writeSync(file.fd, bytes, done, bytes.length - done);
    },
    flush: () => file.datasync(),
    truncate: (size) => ftruncateSync(file.fd, size),
  };
}
