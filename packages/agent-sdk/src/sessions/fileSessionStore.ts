/**
 * Sessions on disk: `<home>/sessions/<id>/log.jsonl` with the runs that have ended, at rest, and `tail.jsonl` with the
 * events of running ones, one a line. A batch is stored whole or not at all, also after a crash; a session belongs to
 * one process at a time; open items of an ended process are closed in the file before any other reader sees them. It
 * never deletes a broken log.
 */

import { randomBytes } from "node:crypto";
import { type FileHandle, lstat, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isFileMissing, messageOfError } from "@callboard/run-log/values";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";
import type { OpenSessionOptions, SessionStore, SessionSummary } from "../types/sessions.js";
import { outputsRoot, sessionOutputFolder } from "../utils/outputPaths.js";
import { createFileSessionLog, type FileSessionLog } from "./fileSessionLog.js";
import { interruptionOf } from "./interruption.js";
import type { LogFiles } from "./logReader.js";
import { createSessionScan } from "./logScan.js";
import { logSummaryOf } from "./logSummary.js";
import type { Flush } from "./logWriter.js";
import { markRemoved } from "./removedSessions.js";
import { repairLog } from "./repair.js";
import { keepSessionFacts, readSessionFacts } from "./sessionFacts.js";
import {
  flushFolder,
  isPlainFolder,
  logName,
  makeSessionFolder,
  namesIn,
  openLogFile,
  sessionFolderOf,
  sessionsRoot,
  tailName,
} from "./sessionFolder.js";
import { isSessionId } from "./sessionId.js";
import { acquireSessionLock, type SessionLock } from "./sessionLock.js";
import { receiveRequests } from "./sessionRequests.js";

export interface FileSessionStoreOptions {
  /** See `callboardHome`. */
  readonly home: string;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Default `closings`. */
  readonly flush?: Flush;
}

export interface OpenFileSessionOptions extends OpenSessionOptions {
  /** Keeps what is before a broken line and moves the rest aside to `log.jsonl.broken-<n>`. */
  readonly salvage?: boolean;
}

export interface FileSessionSummary extends SessionSummary {
  /** Why it cannot be opened as it is, or what opening will repair. */
  readonly warning?: string;
}

/** A session store in a folder. */
export interface FileSessionStore extends SessionStore {
  open(sessionId: string, options?: OpenFileSessionOptions): Promise<FileSessionLog>;
  /** The newest first. */
  list(): Promise<readonly FileSessionSummary[]>;
  /** Removes its log and its whole outputs. Refuses a session that is in use; does nothing if there is none. */
  remove(sessionId: string): Promise<void>;
}

const leftOpenRun = "a run that its process left open";
const mostAttempts = 5;
const listedAtOnce = 16;
const removedPrefix = ".removed-";

/** Creates a session store that keeps one log file for each session in a folder. */
export function createFileSessionStore(options: FileSessionStoreOptions): FileSessionStore {
  const { home, logger, clock, flush = "closings" } = options;

  /** The folder may be removed by another process between its making and its locking. */
  async function lockedFolder(sessionId: string): Promise<{ folder: string; lock: SessionLock }> {
    for (let attempt = 1; ; attempt += 1) {
      const folder = await makeSessionFolder(home, sessionId);
      try {
        return { folder, lock: acquireSessionLock(folder, sessionId, clock.now()) };
      } catch (error) {
        if (!isFileMissing(error) || attempt === mostAttempts) throw error;
      }
    }
  }

  async function opened(
    sessionId: string,
    folder: string,
    lock: SessionLock,
    { salvage: isSalvaged = false, keepRunsOpen = false, isCopy = false }: OpenFileSessionOptions,
  ): Promise<FileSessionLog> {
    const files = await openLogFiles(folder, sessionId);
    try {
      const scan = createSessionScan();
      const common = { sessionId, folder, isSalvaged, logger };
      const logScan = await scan.read(files.log, "log");
      const logSize = await repairLog({
        ...common,
        file: files.log,
        name: logName,
        scanned: logScan,
      });
      const tailScan = await scan.read(files.tail, "tail");
      const tailParts = { ...common, file: files.tail, name: tailName, scanned: tailScan };
      const sizes = { log: logSize, tail: await repairLog(tailParts) };
      if (flush !== "never") {
        await flushFolder(folder);
        if (sizes.log === 0) await flushFolder(sessionsRoot(home));
      }
      const log = createFileSessionLog({
        ...{ sessionId, files, sizes, lock, flush, logger },
        index: scan.index,
        past: scan.past,
        receive: (answer) => receiveRequests(folder, answer, logger),
        onEmptyTail: () => rm(join(folder, tailName), { force: true }),
      });
      // Nested runs start later than the run they work for, and end before it.
      for (const { state, lastAt } of scan.unclosed.toReversed()) {
        const closings = interruptionOf(state, lastAt, { keepRunsOpen, isCopy });
        const [first] = closings;
        if (!first) continue;
        await log.append(first.runId, first.seq - 1, closings);
        const fields = { sessionId, runId: first.runId, events: closings.length };
        const what = keepRunsOpen
          ? "a run's open calls, left by a process that stopped,"
          : leftOpenRun;
        logger.info(`${what} was closed as interrupted`, fields);
      }
      await log.restEnded();
      return log;
    } catch (error) {
      try {
        const { size } = await files.tail.stat();
        if (size === 0) await rm(join(folder, tailName), { force: true });
      } finally {
        await closeAll([files.log, files.tail]);
      }
      throw error;
    }
  }

  async function listed(sessionId: string): Promise<FileSessionSummary | undefined> {
    const folder = sessionFolderOf(home, sessionId);
    try {
      if (!(await isPlainFolder(folder, sessionId))) return undefined;
      const file = await openLogFile(folder, sessionId, "read");
      let tail: FileHandle | undefined;
      try {
        tail = await openTail(folder, sessionId);
        return {
          sessionId,
          ...(await logSummaryOf(file, tail)),
          ...(await readSessionFacts(folder)),
        };
      } finally {
        await closeAll([file, tail]);
      }
    } catch (error) {
      const isMissing = isFileMissing(error);
      const warning = isMissing ? "it has no log" : messageOfError(error);
      const { birthtimeMs, mtimeMs } = await lstat(folder);
      const times = { createdAt: Math.round(birthtimeMs), updatedAt: Math.round(mtimeMs) };
      return { sessionId, ...times, title: "", runs: 0, warning };
    }
  }

  return {
    async open(sessionId, openOptions = {}) {
      const { folder, lock } = await lockedFolder(sessionId);
      const { folder: workdir } = openOptions;
      try {
        if (workdir !== undefined) await keepSessionFacts(folder, { folder: workdir });
        return await opened(sessionId, folder, lock, openOptions);
      } catch (error) {
        lock.release();
        throw error;
      }
    },

    async list() {
      const names = await namesIn(sessionsRoot(home));
      const ids = names.filter(isSessionId);
      const found: FileSessionSummary[] = [];
      for (let at = 0; at < ids.length; at += listedAtOnce) {
        const group = await Promise.all(ids.slice(at, at + listedAtOnce).map(listed));
        for (const summary of group) if (summary) found.push(summary);
      }
      for (const { sessionId, warning } of found) {
        if (warning === undefined) continue;
        logger.warn(`Session ${sessionId} has a problem: ${warning}`, { sessionId });
      }
      return found.sort((one, other) => other.updatedAt - one.updatedAt);
    },

    async remove(sessionId) {
      const folder = sessionFolderOf(home, sessionId);
      if (!(await isPlainFolder(folder, sessionId))) return;
      const root = sessionsRoot(home);
      const lock = acquireSessionLock(folder, sessionId, clock.now());
      try {
        // Before the log: if this fails, the session can still be removed again.
        const outputs = sessionOutputFolder(outputsRoot(home), sessionId);
        await rm(outputs, { recursive: true, force: true });
        await markRemoved(home, sessionId);
        // One step takes the whole session out of reach; the lock goes with it.
        await rename(folder, join(root, `${removedPrefix}${randomBytes(16).toString("hex")}`));
      } finally {
        lock.release();
      }
      for (const name of await namesIn(root)) {
        if (name.startsWith(removedPrefix)) {
          await rm(join(root, name), { recursive: true, force: true });
        }
      }
    },
  };
}

async function openLogFiles(folder: string, sessionId: string): Promise<LogFiles> {
  const log = await openLogFile(folder, sessionId, "append");
  try {
    return { log, tail: await openLogFile(folder, sessionId, "append", tailName) };
  } catch (error) {
    await log.close();
    throw error;
  }
}

/** Closes each of them, whatever becomes of the others. */
async function closeAll(files: readonly (FileHandle | undefined)[]): Promise<void> {
  const closed = await Promise.allSettled(files.map((file) => file?.close()));
  const failed = closed.find((one) => one.status === "rejected");
  if (failed) throw failed.reason;
}

/** For inspection. It exists only while a run is running, or if its process ended during one. */
async function openTail(folder: string, sessionId: string): Promise<FileHandle | undefined> {
  try {
    return await openLogFile(folder, sessionId, "read", tailName);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}
