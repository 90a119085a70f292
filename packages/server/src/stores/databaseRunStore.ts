/** Runs in the database, as the server asks for them. Every question of a user is asked as that user. */
import { runId as runIdOf } from "@callboard/run-log";
import type { Run, Store, StoreDb } from "@callboard/store";
import { asUser } from "./asUser.js";
import type { RunFacts, RunStore } from "./runStore.js";

const pageRuns = 1_000;

export function createDatabaseRunStore(store: Store): RunStore {
  const { read, database } = store;
  return {
    sessions: ({ userId }) => store.sessions({ userId }),
    async findRun(viewer, runId) {
      const run = await asUser(store, viewer, (db) =>
        visibleRuns(db).where("cx_run.id", "=", runId).executeTakeFirst(),
      );
      return run && factsOf(run);
    },
    async visibleConversations(viewer, conversationIds) {
      const rows = await asUser(store, viewer, (db) =>
        db
          .selectFrom("cx_conversation")
          .select("id")
          .where("id", "in", conversationIds)
          .where("deleted_at", "is", null)
          .execute(),
      );
      return new Set(rows.map(({ id }) => id));
    },
    async accessOf(viewer, conversationId) {
      const { userId } = viewer;
      const conversation = await read.conversation({ as: { userId }, conversationId });
      if (!conversation) return undefined;
      if (conversation.user_id === userId) return "owner";
      const [levels] = await asUser(store, viewer, (db) =>
        db
          .selectNoFrom((eb) => {
            const has = (level: string) =>
              eb.fn<boolean>("has_permission", [
                eb.val("cx_conversation"),
                eb.val(conversationId),
                eb.val(level),
              ]);
            return [has("editor").as("isEditor"), has("admin").as("isAdmin")];
          })
          .execute(),
      );
      if (levels?.isAdmin) return "admin";
      return levels?.isEditor ? "editor" : "viewer";
    },
    async hasConversation(conversationId) {
      const found = await database.db
        .selectFrom("cx_conversation")
        .select("id")
        .where("id", "=", conversationId)
        .executeTakeFirst();
      return found !== undefined;
    },
    async listRuns(viewer, { conversationId, limit }) {
      const runs = await asUser(store, viewer, (db) => {
        const query = visibleRuns(db)
          .orderBy("cx_run.created_at", "desc")
          .orderBy("cx_run.id", "desc")
          .limit(limit);
        return conversationId === undefined
          ? query.where("cx_run.user_id", "=", viewer.userId).execute()
          : query.where("cx_run.conversation_id", "=", conversationId).execute();
      });
      return runs.map(factsOf);
    },
    async *runsInOrder(viewer, { conversationId, since = 0, isOpen = false }) {
      let from = since;
      let before = new Set<string>();
      for (;;) {
        const rows = await asUser(store, viewer, (db) => {
          const all = visibleRuns(db)
            .where("cx_run.created_at", ">=", new Date(Math.max(0, from)))
            .orderBy("cx_run.created_at")
            .orderBy("cx_run.id")
            .limit(pageRuns);
          const query = isOpen ? all.where("cx_run.status", "=", "open") : all;
          return conversationId === undefined
            ? query.where("cx_run.user_id", "=", viewer.userId).execute()
            : query.where("cx_run.conversation_id", "=", conversationId).execute();
        });
        // The database counts microseconds: those of the last millisecond come again.
        const runs = rows.map(factsOf).filter(({ runId }) => !before.has(runId));
        if (runs.length > 0) yield runs;
        if (rows.length < pageRuns || runs.length === 0) return;
        from = runs.at(-1)?.createdAt ?? from;
        before = new Set(rows.map(({ id }) => id));
      }
    },
    read: (runId, range) => read.events({ as: "service", runId, ...range }),
    async messagePosition(messageRowId) {
      const found = await database.db
        .selectFrom("cx_message")
        .select("position")
        .where("id", "=", messageRowId)
        .executeTakeFirst();
      return found?.position ?? 0;
    },
    tail: (runId, range) => store.tail(runIdOf(runId), range),
    async lastSeqs(runIds) {
      if (runIds.length === 0) return new Map();
      const heads = await database.db
        .selectFrom("cx_run")
        .select(["id", "last_seq"])
        .where("id", "in", runIds)
        .execute();
      return new Map(heads.map(({ id, last_seq }) => [id, last_seq]));
    },
    async askToCancel(runId) {
      await store.cancel(runId);
    },
    onCancelAsked: store.onCancelAsked,
    claimOrphans: () => store.claimOrphans(),
    async keepSetup(conversationId, { agentName, variables, overrides }) {
      await database.db
        .updateTable("cx_conversation")
        .set({
          config: JSON.stringify({ prompt_id: agentName }),
          variables: JSON.stringify(variables),
          overrides: JSON.stringify(overrides),
        })
        .where("id", "=", conversationId)
        .execute();
    },
    async readSetup(conversationId) {
      const kept = await store.read.conversation({ as: "service", conversationId });
      const agentName = kept?.config.prompt_id;
      if (!kept || typeof agentName !== "string") return undefined;
      return { agentName, variables: kept.variables, overrides: kept.overrides };
    },
  };
}

/** Runs of conversations that nobody has taken out of sight. */
function visibleRuns(db: StoreDb) {
  return db
    .selectFrom("cx_run")
    .innerJoin("cx_conversation as conversation", "conversation.id", "cx_run.conversation_id")
    .where("conversation.deleted_at", "is", null)
    .selectAll("cx_run");
}

function factsOf(run: Run): RunFacts {
  return {
    runId: run.id,
    conversationId: run.conversation_id,
    userId: run.user_id,
    status: run.status,
    lastSeq: run.last_seq,
    createdAt: run.created_at.getTime(),
  };
}
