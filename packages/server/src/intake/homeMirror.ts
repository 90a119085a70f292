/**
 * Sessions that other programs store in the home (the terminal, an editor's agent, the proxy, `watch`, `import`), shown
 * by the server of the same home. The files are authoritative and are only read here; the store has a copy that follows.
 * A run whose program ended is closed in the copy in the same way as its file will be when it is opened. The copy of a
 * removed session is removed.
 */
import { type FSWatcher, watch } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Logger } from "@callboard/agent-sdk";
import {
  livingHolder,
  markedRemoved,
  readLogFrom,
  readTailFrom,
  removedMarks,
  unmarkRemoved,
} from "@callboard/agent-sdk/sessions";
import type { ForeignRuns } from "./foreignRuns.js";
import { createMirroredSession, type MirroredSession } from "./mirroredSession.js";

export interface HomeMirrorOptions {
  readonly home: string;
  readonly runs: ForeignRuns;
  /** How far the store has runs, by their id there. */
  readonly lastSeqs: (runIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Removes a conversation with everything in it. */
  readonly removeCopy: (conversationId: string) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface HomeMirror {
  /** Resolves when everything that is there now was read. */
  readonly ready: Promise<void>;
  /** The session of the home whose copy a conversation is; undefined if it has no file. */
  fileOf(conversationId: string): Promise<string | undefined>;
  /**
   * Brings the copy of a session up to its file and leaves it to the caller, who holds the file, until the given
   * function is called.
   */
  yield(sessionId: string): Promise<() => void>;
  close(): Promise<void>;
}

/** The runs that have ended, those under way, and who has the session. */
const watched: ReadonlySet<string> = new Set(["log.jsonl", "tail.jsonl", "lock"]);
/** A program that ended writes nothing more, so the server must check. */
const lookMs = 2_000;

export function startHomeMirror(options: HomeMirrorOptions): HomeMirror {
  const { home, runs, lastSeqs, removeCopy, clock, logger } = options;
  const root = join(home, "sessions");
  const sessions = new Map<string, MirroredSession>();
  const waiting = new Set<string>();
  /** Sessions that this server writes itself. */
  const yielded = new Set<string>();
  const over = new AbortController();
  let work: Promise<void> = Promise.resolve();
  let watcher: FSWatcher | undefined;

  function sessionOf(sessionId: string): MirroredSession {
    const known = sessions.get(sessionId);
    if (known) return known;
    const session = createMirroredSession({
      sessionId,
      runs,
      lastSeqs,
      read: (offset) => readLogFrom(home, sessionId, offset),
      readTail: (after) => readTailFrom(home, sessionId, after),
      isHeld: () => livingHolder(join(root, sessionId)) !== undefined,
    });
    sessions.set(sessionId, session);
    return session;
  }

  function inTurn(task: () => Promise<void>): Promise<void> {
    const done = work.then(task);
    work = done.catch(() => undefined);
    return done;
  }

  /** One at a time: a session that changes while it is read is read once more. */
  function follow(sessionId: string): void {
    if (waiting.has(sessionId) || over.signal.aborted) return;
    waiting.add(sessionId);
    void inTurn(async () => {
      waiting.delete(sessionId);
      if (over.signal.aborted || yielded.has(sessionId)) return;
      try {
        await sessionOf(sessionId).follow();
      } catch (error) {
        sessions.delete(sessionId);
        logger.warn("A session in CALLBOARD_HOME is not shown on the board.", { sessionId, error });
      }
    });
  }

  /** A later folder of the same id is another session. */
  function forget(sessionId: string): void {
    void inTurn(async () => {
      if (over.signal.aborted) return;
      try {
        sessions.delete(sessionId);
        await runs.release(sessionId);
        await removeCopy(runs.idOf(sessionId));
        await unmarkRemoved(home, sessionId);
        if (await isFolder(sessionId)) follow(sessionId);
      } catch (error) {
        logger.warn("Removing the copy of a removed session failed; retrying at the next start.", {
          sessionId,
          error,
        });
      }
    });
  }

  async function forgetRemoved(): Promise<void> {
    for (const sessionId of await markedRemoved(home)) forget(sessionId);
  }

  async function look(): Promise<void> {
    while (!over.signal.aborted) {
      await clock.sleep(lookMs, over.signal).catch(() => undefined);
      for (const [sessionId, session] of sessions) if (session.isOpen) follow(sessionId);
    }
  }

  async function begin(): Promise<void> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    watcher = watch(root, { recursive: true }, (_, name) => {
      const [sessionId, file] = name?.split(/[/\\]/) ?? [];
      if (sessionId === removedMarks) {
        forgetRemoved().catch((error: unknown) => {
          logger.warn("Reading which sessions were removed failed.", { error });
        });
      } else if (sessionId && file !== undefined && watched.has(file)) follow(sessionId);
    });
    watcher.on("error", (error) =>
      logger.warn("Watching the sessions in CALLBOARD_HOME failed.", { error }),
    );
    await forgetRemoved();
    for (const name of await readdir(root)) if (!name.startsWith(".")) follow(name);
    await work;
  }

  const ready = begin().catch((error: unknown) => {
    logger.warn("The sessions in CALLBOARD_HOME are not shown on the board.", { error });
  });
  const looking = look();

  async function isFolder(name: string): Promise<boolean> {
    const found = await lstat(join(root, name)).catch(() => undefined);
    return found?.isDirectory() === true;
  }

  return {
    ready,
    async fileOf(conversationId) {
      if (await isFolder(conversationId)) return conversationId;
      const named = [...sessions.keys()].find((id) => runs.idOf(id) === conversationId);
      return named !== undefined && (await isFolder(named)) ? named : undefined;
    },
    async yield(sessionId) {
      await inTurn(async () => {
        await sessionOf(sessionId).follow();
        await runs.release(sessionId);
        yielded.add(sessionId);
      });
      return () => {
        yielded.delete(sessionId);
        follow(sessionId);
      };
    },
    async close() {
      over.abort();
      watcher?.close();
      await ready;
      await work;
      await looking;
      await runs.close();
    },
  };
}
