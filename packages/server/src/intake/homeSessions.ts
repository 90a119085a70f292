/**
 * Conversations with a session file of the home as the authoritative copy, continued by this server. A run of such a
 * conversation is written to the file first and then to the store, whose rows are a copy. The lock of the file decides
 * who writes: the terminal or the server, one at a time. A conversation of the server is moved to a file so that the
 * terminal can continue it.
 */

import { randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  type Clock,
  createFileSessionStore,
  type Logger,
  SessionLockedError,
  type SessionLog,
  type SessionStore,
} from "@callboard/agent-sdk";
import {
  type FileSessionStore,
  livingHolder,
  type OpenSessionOptions,
  sendRequest,
} from "@callboard/agent-sdk/sessions";
import { conversationId as conversationIdOf, type RunEvent } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { OtherPrograms } from "../runs/otherPrograms.js";
import { busy } from "../runs/refusals.js";
import type { RunStore, Viewer } from "../stores/runStore.js";
import type { HomeMirror } from "./homeMirror.js";

export interface HomeSessionsOptions {
  readonly home: string;
  readonly store: RunStore;
  /** Whose home it is. */
  readonly user: Viewer;
  readonly mirror: Pick<HomeMirror, "fileOf" | "yield">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface HomeSessions extends OtherPrograms {
  /** The same store, whose sessions are opened together with their files if they have one. */
  readonly store: RunStore;
  /**
   * Moves a conversation of the store to a session file, unless it is already in one. Returns the id of the session.
   * Throws if it has a running run.
   */
  moveToFile(conversationId: string): Promise<string>;
  /** Removes the file of a conversation, if it has one: at the end of this server's run in it. Throws if another program has it open. */
  removeFile(conversationId: string): Promise<void>;
}

const lookMs = 20;
const lockWaitMs = 2_000;

export function createHomeSessions(options: HomeSessionsOptions): HomeSessions {
  const { home, store, user, mirror, clock, logger } = options;
  const filesIn = (folder: string): FileSessionStore =>
    createFileSessionStore({ home: folder, clock, logger });
  const files = filesIn(home);
  /** Conversations whose files this server has open. */
  const written = new Set<string>();
  /** Conversations that were deleted while a run of this server wrote their file. */
  const doomed = new Set<string>();

  async function opened(
    copies: SessionStore,
    conversationId: string,
    openOptions: OpenSessionOptions | undefined,
  ): Promise<SessionLog> {
    const sessionId = await mirror.fileOf(conversationId);
    if (sessionId === undefined) return await copies.open(conversationId, openOptions);
    const { folder } = openOptions ?? {};
    const file = await files.open(sessionId, withoutUndefined({ folder }));
    written.add(conversationId);
    let follow = (): void => undefined;
    let copy: SessionLog | undefined;
    async function close(): Promise<void> {
      try {
        await copy?.close();
      } finally {
        await file.close().finally(follow);
        written.delete(conversationId);
        if (doomed.delete(conversationId)) await files.remove(file.sessionId);
      }
    }
    try {
      follow = await mirror.yield(sessionId);
      copy = await copies.open(conversationId, { isCopy: true });
      return jointLog(file, copy, close);
    } catch (error) {
      await close();
      throw error;
    }
  }

  /** A run that has ended lets go of its conversation a moment later. */
  async function idle(conversationId: string): Promise<SessionLog> {
    for (let waited = 0; ; waited += lookMs) {
      try {
        return await store.sessions(user).open(conversationId);
      } catch (error) {
        if (!(error instanceof SessionLockedError) || waited >= lockWaitMs) throw error;
        const [last] = await store.listRuns(user, { conversationId, limit: 1 });
        if (last?.status === "open") throw busy(conversationId, error.holder);
        await clock.sleep(lookMs);
      }
    }
  }

  function sessions(viewer: Viewer, told?: { readonly isTold: boolean }): SessionStore {
    const copies = store.sessions(viewer, told);
    if (viewer.userId !== user.userId) return copies;
    return {
      open: (conversationId, openOptions) =>
        openOptions?.isCopy
          ? copies.open(conversationId, openOptions)
          : opened(copies, conversationId, openOptions),
      list: () => copies.list(),
      remove: (conversationId) => copies.remove(conversationId),
    };
  }

  return {
    store: { ...store, sessions },
    async request({ conversationId }, request) {
      const sessionId = await mirror.fileOf(conversationId);
      if (sessionId === undefined) return undefined;
      const folder = join(home, "sessions", sessionId);
      const holder = livingHolder(folder);
      if (holder === undefined || holder.pid === process.pid) return undefined;
      return { holder, reply: await sendRequest(folder, request, clock) };
    },
    async moveToFile(conversationId) {
      const before = await mirror.fileOf(conversationId);
      if (before !== undefined) return before;
      // Held during the move: a run starts before or after.
      const log = await idle(conversationId);
      try {
        const known = await mirror.fileOf(conversationId);
        if (known !== undefined) return known;
        // A file that is not whole never has the name of a session.
        const draft = join(home, "sessions", `.moving-${randomUUID()}`);
        try {
          await writeAll(log, await filesIn(draft).open(conversationId));
          await mkdir(join(home, "sessions"), { recursive: true, mode: 0o700 });
          await rename(
            join(draft, "sessions", conversationId),
            join(home, "sessions", conversationId),
          );
          const follow = await mirror.yield(conversationId);
          follow();
        } finally {
          await rm(draft, { recursive: true, force: true });
        }
        return conversationId;
      } finally {
        await log.close();
      }
    },
    async removeFile(conversationId) {
      const sessionId = await mirror.fileOf(conversationId);
      if (sessionId === undefined) return;
      if (written.has(conversationId)) doomed.add(conversationId);
      else await files.remove(sessionId);
    },
  };
}

async function writeAll(from: SessionLog, to: SessionLog): Promise<void> {
  try {
    for (const runId of await from.runIds()) {
      await to.append(runId, 0, await from.read(runId, { after: 0 }));
    }
  } finally {
    await to.close();
  }
}

/** Events are written to the file, then to the copy, which is read. */
function jointLog(file: SessionLog, copy: SessionLog, close: () => Promise<void>): SessionLog {
  let closing: Promise<void> | undefined;
  return {
    sessionId: copy.sessionId,
    runIds: () => copy.runIds(),
    history: () => copy.history(),
    read: (runId, range) => copy.read(runId, range),
    tail: (runId, range) => copy.tail(runId, range),
    async append(runId, expectedSeq, events) {
      const written = await file.append(
        runId,
        expectedSeq,
        events.map((event) => eventIn(file.sessionId, event)),
      );
      if (written.status === "conflict") return written;
      const copied = await copy.append(runId, expectedSeq, events);
      if (copied.status === "appended") return copied;
      throw new Error(
        `run ${runId} is at ${written.seq} in its file and at ${copied.seq} in the database: start the server again, it reads the file`,
      );
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** A session whose id is not a UUID has another one in the store. */
function eventIn(sessionId: string, event: RunEvent): RunEvent {
  return event.type === "run.started"
    ? { ...event, conversationId: conversationIdOf(sessionId) }
    : event;
}
