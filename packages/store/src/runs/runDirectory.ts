/** The runs that a user may see, found and listed under that user's row-level security. */

import type { StoreDb } from "../connections/database.js";
import type { Viewer } from "../conversations/access.js";
import { asReader } from "../reading/asReader.js";
import type { Run } from "../reading/runs.js";

export interface RunFacts {
  readonly runId: string;
  readonly conversationId: string;
  /** The requester. */
  readonly userId: string;
  readonly status: "open" | "closed";
  /** Whether it waits for an answer and belongs to no node. */
  readonly isParked: boolean;
  readonly lastSeq: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface RunDirectory {
  find(viewer: Viewer, runId: string): Promise<RunFacts | undefined>;
  /** The newest first: of a conversation, or all of the viewer's own. */
  list(
    viewer: Viewer,
    which: { readonly conversationId?: string; readonly limit: number },
  ): Promise<readonly RunFacts[]>;
  /** The oldest first, a page at a time: of a conversation, or all of the viewer's own. */
  inOrder(
    viewer: Viewer,
    which: {
      readonly conversationId?: string;
      /** Milliseconds since the epoch. */
      readonly since?: number;
      readonly isOpen?: boolean;
    },
  ): AsyncIterable<readonly RunFacts[]>;
  /** How far runs are, for those that exist. Checks no rights: for runs that the caller was found to see. */
  lastSeqs(runIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

const pageRuns = 1_000;

export function createRunDirectory(db: StoreDb): RunDirectory {
  return {
    async find({ userId }, runId) {
      const run = await asReader(db, { userId }, (reader) =>
        visibleRuns(reader).where("cx_run.id", "=", runId).executeTakeFirst(),
      );
      return run && factsOf(run);
    },
    async list({ userId }, { conversationId, limit }) {
      const runs = await asReader(db, { userId }, (reader) =>
        runsOf(reader, userId, conversationId)
          .orderBy("cx_run.created_at", "desc")
          .orderBy("cx_run.id", "desc")
          .limit(limit)
          .execute(),
      );
      return runs.map(factsOf);
    },
    async *inOrder({ userId }, { conversationId, since = 0, isOpen = false }) {
      let from = since;
      let before = new Set<string>();
      for (;;) {
        const rows = await asReader(db, { userId }, (reader) => {
          const all = runsOf(reader, userId, conversationId)
            .where("cx_run.created_at", ">=", new Date(Math.max(0, from)))
            .orderBy("cx_run.created_at")
            .orderBy("cx_run.id")
            .limit(pageRuns);
          return (isOpen ? all.where("cx_run.status", "=", "open") : all).execute();
        });
        // The database counts microseconds: the runs of the last millisecond are read again.
        const runs = rows.map(factsOf).filter(({ runId }) => !before.has(runId));
        if (runs.length > 0) yield runs;
        if (rows.length < pageRuns || runs.length === 0) return;
        from = runs.at(-1)?.createdAt ?? from;
        before = new Set(rows.map(({ id }) => id));
      }
    },
    async lastSeqs(runIds) {
      if (runIds.length === 0) return new Map();
      const heads = await db
        .selectFrom("cx_run")
        .select(["id", "last_seq"])
        .where("id", "in", runIds)
        .execute();
      return new Map(heads.map(({ id, last_seq }) => [id, last_seq]));
    },
  };
}

/** Runs of conversations that are not deleted. */
function visibleRuns(db: StoreDb) {
  return db
    .selectFrom("cx_run")
    .innerJoin("cx_conversation as conversation", "conversation.id", "cx_run.conversation_id")
    .where("conversation.deleted_at", "is", null)
    .selectAll("cx_run");
}

function runsOf(db: StoreDb, userId: string, conversationId: string | undefined) {
  const query = visibleRuns(db);
  return conversationId === undefined
    ? query.where("cx_run.user_id", "=", userId)
    : query.where("cx_run.conversation_id", "=", conversationId);
}

function factsOf(run: Run): RunFacts {
  return {
    runId: run.id,
    conversationId: run.conversation_id,
    userId: run.user_id,
    status: run.status,
    isParked: run.parked_at !== null,
    lastSeq: run.last_seq,
    createdAt: run.created_at.getTime(),
  };
}
