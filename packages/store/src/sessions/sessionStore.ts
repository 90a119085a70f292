/**
 * Sessions in the database: a session is a conversation of one user, and a run of it is a row of `cx_run`. A session
 * that is only open locks nothing in the database; a running run does, by its lease. What a stopped node left open is
 * closed before a session is returned.
 */

import { type Clock, SessionLockedError, type SessionStore } from "@callboard/agent-sdk";
import type { LockHolder, OpenSessionOptions } from "@callboard/agent-sdk/sessions";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import type { RunSetup } from "../conversations/setup.js";
import { SessionBusyError } from "../errors.js";
import { assertUuid } from "../ids.js";
import type { Recovery } from "../leases/recovery.js";
import { type ConversationLook, lookAtConversation } from "../writing/conversationView.js";
import type { RunLogs } from "../writing/runLogs.js";
import { assertEditor } from "./sessionAccess.js";
import { createSessionLog, type StoreSessionLog } from "./sessionLog.js";

export interface SessionsOptions {
  readonly db: StoreDb;
  readonly nodeId: string;
  readonly clock: Clock;
  readonly logs: RunLogs;
  readonly recovery: Recovery;
  /** Which sessions this process has open, shared by every user's store. */
  readonly holders: Map<string, LockHolder>;
  readonly userId: string;
  /** Whether a webhook is sent when the runs that start here wait for a person or have ended. */
  readonly isTold: boolean;
  /** The settings of the requests for the runs that start here. */
  readonly setup?: RunSetup | undefined;
  /** Hears how many bytes the logs of an opened session have, before they are read. */
  readonly onOpened?: ((storedBytes: number) => void) | undefined;
}

export interface DatabaseSessionStore extends SessionStore {
  open(sessionId: string, options?: OpenSessionOptions): Promise<StoreSessionLog>;
}

export function createSessionStore(options: SessionsOptions): DatabaseSessionStore {
  const { db, nodeId, clock, logs, recovery, holders, userId, isTold, setup, onOpened } = options;
  assertUuid("user", userId);

  function hold(sessionId: string): void {
    const holder = holders.get(sessionId);
    if (holder) throw new SessionLockedError(sessionId, holder);
    holders.set(sessionId, { pid: process.pid, token: "", lockedAt: clock.now() });
  }

  async function opened(
    sessionId: string,
    { keepRunsOpen = false, isCopy = false }: OpenSessionOptions,
  ): Promise<StoreSessionLog> {
    await recovery.releaseConversation(sessionId);
    let look = await lookAtConversation(db, sessionId);
    const isOwn = look.ownerId === undefined || (look.ownerId === userId && !look.isDeleted);
    if (!isOwn) await assertEditor(db, sessionId, userId);
    if (!isCopy && look.runs.some(({ isClosed, isParked }) => !isClosed && !isParked)) {
      await recovery.recoverConversation(sessionId, { keepRunsOpen });
      look = await lookAtConversation(db, sessionId);
    }
    assertNotBusy(sessionId, look, isCopy);
    onOpened?.(look.runs.reduce((sum, run) => sum + run.storedBytes, 0));
    const known = new Map(
      look.runs.map(({ id, lastSeq, isClosed }) => [id, { lastSeq, isClosed }]),
    );
    return createSessionLog({
      sessionId,
      userId,
      isResumable: keepRunsOpen,
      isTold,
      isCopy,
      setup,
      known,
      nextPosition: look.nextPosition,
      db,
      logs,
      async release() {
        try {
          await recovery.releaseConversation(sessionId);
        } finally {
          holders.delete(sessionId);
        }
      },
    });
  }

  function assertNotBusy(sessionId: string, { runs }: ConversationLook, isCopy = false): void {
    const busy = runs.find(({ owner }) => owner !== null && owner !== nodeId);
    if (busy?.owner) throw new SessionBusyError(sessionId, busy.owner);
    if (!isCopy && runs.some(({ isAwaited }) => isAwaited)) throw new SessionBusyError(sessionId);
  }

  return {
    async open(sessionId, openOptions = {}) {
      assertUuid("session", sessionId);
      hold(sessionId);
      try {
        return await opened(sessionId, openOptions);
      } catch (error) {
        // Opening may have taken runs over already. No session resumes them, so their leases must not be renewed.
        await recovery.abandonConversation(sessionId);
        holders.delete(sessionId);
        throw error;
      }
    },

    async list() {
      const { rows } = await sql<ListedRow>`
        select id, title, created_at, updated_at,
          (select count(*) from cx_run where conversation_id = conversation.id) as runs
        from cx_conversation as conversation
        where user_id = ${userId} and deleted_at is null
        order by updated_at desc, id
      `.execute(db);
      return rows.map((row) => ({
        sessionId: row.id,
        createdAt: row.created_at.getTime(),
        updatedAt: row.updated_at.getTime(),
        title: row.title ?? "",
        runs: row.runs,
      }));
    },

    async remove(sessionId) {
      assertUuid("session", sessionId);
      hold(sessionId);
      try {
        await recovery.recoverConversation(sessionId, {});
        assertNotBusy(sessionId, await lookAtConversation(db, sessionId));
        await db
          .deleteFrom("cx_conversation")
          .where("id", "=", sessionId)
          .where("user_id", "=", userId)
          .execute();
      } finally {
        holders.delete(sessionId);
      }
    },
  };
}

interface ListedRow {
  readonly id: string;
  readonly title: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly runs: number;
}
