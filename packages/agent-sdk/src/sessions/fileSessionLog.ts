/**
 * One open session on disk: its file, its index, its writer and its followers. It assumes that the file
 * is repaired and that the lock is held; it never opens either.
 */
import { ftruncateSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { RunEvent } from "@callboard/run-log";
import type { Logger } from "../types/logger.js";
import type { SessionLog } from "../types/sessions.js";
import type { LogIndex } from "./logIndex.js";
import { readPage } from "./logReader.js";
import { createNewsBoard, createTail } from "./logTail.js";
import { type AppendFile, createLogWriter, type Flush } from "./logWriter.js";
import { SessionClosedError, SessionWriteError } from "./sessionErrors.js";
import type { SessionLock } from "./sessionLock.js";

export interface FileSessionLog extends SessionLog {
  /** How many tails wait for news: 0 when every reader has left. */
  readonly waitingTails: number;
}

export interface FileSessionParts {
  readonly sessionId: string;
  readonly file: FileHandle;
  readonly size: number;
  readonly index: LogIndex;
  readonly lock: SessionLock;
  readonly flush: Flush;
  readonly logger: Logger;
}

const pageEvents = 256;

export function createFileSessionLog(parts: FileSessionParts): FileSessionLog {
  const { sessionId, file, index, lock, logger } = parts;
  const news = createNewsBoard();
  let closing: Promise<void> | undefined;
  let failure: SessionWriteError | undefined;

  const writer = createLogWriter({
    file: appendFileOf(file),
    size: parts.size,
    index,
    flush: parts.flush,
    onAppended: news.tell,
    onFailure(cause) {
      failure = new SessionWriteError(sessionId, cause);
      logger.error("a session could not be written", { sessionId, problem: failure.message });
      news.tellAll();
      return failure;
    },
    onLeftover(cause) {
      const problem = String(cause);
      logger.error("a failed write could not be taken back", { sessionId, problem });
    },
  });

  function assertOpen(): void {
    if (closing !== undefined) throw new SessionClosedError(sessionId);
  }

  async function close(): Promise<void> {
    try {
      await writer.settle();
    } finally {
      news.tellAll();
      await file.close();
      lock.release();
    }
  }

  return {
    sessionId,
    get waitingTails() {
      return news.waiting;
    },
    runIds: async () => index.runIds(),

    async append(runId, expectedSeq, events) {
      assertOpen();
      return writer.append(runId, expectedSeq, events);
    },

    async read(runId, { after, limit = Number.POSITIVE_INFINITY }) {
      assertOpen();
      const found: RunEvent[] = [];
      const last = Math.min(index.seqOf(runId), after + limit);
      while (after + found.length < last) {
        assertOpen();
        const from = after + found.length;
        const page = await readPage(file, index, runId, { after: from, limit: last - from });
        for (const event of page) found.push(event);
      }
      return found;
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
            return readPage(file, index, runId, { after: seq, limit: pageEvents });
          },
          lastSeq: () => index.seqOf(runId),
          isOver: () => index.isClosed(runId) || closing !== undefined,
          onNews: (wake) => news.onNews(runId, wake),
        },
        after,
      ),

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
