/**
 * Conversations and what belongs to them, read and changed as the user who asks. Rows are given as the
 * tables have them. What a user may not see is not there.
 */
import type {
  Conversation,
  Message,
  Store,
  StoreDb,
  ToolCall,
  UserRequest,
} from "@callboard/store";
import { asUser } from "./asUser.js";
import { type PageMark, parsePageMark } from "./pageMark.js";
import type { Viewer } from "./runStore.js";

export interface ConversationFields {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly keywords?: string[] | null | undefined;
  readonly status?: Conversation["status"] | undefined;
}

export interface PageOptions {
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface Page<Row> {
  readonly items: readonly Row[];
  /** Where the next page begins; null on the last one. */
  readonly next: string | null;
}

/** A request with how far its run is. */
export type RunRow = UserRequest & {
  readonly run_status: "open" | "closed";
  readonly last_seq: number;
};

export interface ConversationStore {
  list(
    viewer: Viewer,
    options: {
      readonly search?: string | undefined;
      readonly before?: string | undefined;
      readonly limit: number;
    },
  ): Promise<Page<Conversation>>;
  find(viewer: Viewer, id: string): Promise<Conversation | undefined>;
  create(viewer: Viewer, id: string, fields: ConversationFields): Promise<Conversation>;
  /** Undefined where there is none that the viewer may change. */
  change(viewer: Viewer, id: string, fields: ConversationFields): Promise<Conversation | undefined>;
  /** Takes it out of sight. False where there is none that the viewer may delete. */
  remove(viewer: Viewer, id: string, at: Date): Promise<boolean>;
  messages(viewer: Viewer, id: string, page: PageOptions): Promise<Page<Message>>;
  toolCalls(viewer: Viewer, id: string, page: PageOptions): Promise<Page<ToolCall>>;
  runs(viewer: Viewer, id: string, page: PageOptions): Promise<Page<RunRow>>;
}

export function createConversationStore(store: Store): ConversationStore {
  return {
    async list({ userId }, { search, before, limit }) {
      const mark = parsePageMark(before, "before");
      const items = await store.read.conversations({
        as: { userId },
        limit,
        ...(search === undefined ? {} : { search }),
        ...(mark === undefined ? {} : { before: { updatedAt: mark.at, id: mark.id } }),
      });
      return pageOf(items, limit, ({ updated_at: at, id }) => ({ at, id }));
    },
    find: ({ userId }, conversationId) =>
      store.read.conversation({ as: { userId }, conversationId }),
    create: (viewer, id, fields) =>
      asUser(store, viewer, (db) =>
        db
          .insertInto("cx_conversation")
          .values({ id, user_id: viewer.userId, ...given(fields) })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),
    async change(viewer, id, fields) {
      const set = given(fields);
      if (Object.keys(set).length === 0) {
        return store.read.conversation({ as: { userId: viewer.userId }, conversationId: id });
      }
      return asUser(store, viewer, (db) =>
        db
          .updateTable("cx_conversation")
          .set(set)
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .returningAll()
          .executeTakeFirst(),
      );
    },
    async remove(viewer, id, at) {
      const removed = await asUser(store, viewer, (db) =>
        db
          .updateTable("cx_conversation")
          .set({ deleted_at: at })
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .returning("id")
          .executeTakeFirst(),
      );
      return removed !== undefined;
    },
    async messages(viewer, id, { after, limit }) {
      const position = after === undefined ? -1 : Number(after);
      const items = await asUser(store, viewer, (db) =>
        db
          .selectFrom("cx_message")
          .selectAll()
          .where("conversation_id", "=", id)
          .where("deleted_at", "is", null)
          .where("position", ">", position)
          .orderBy("position")
          .limit(limit)
          .execute(),
      );
      const last = items.length < limit ? undefined : items.at(-1);
      return { items, next: last === undefined ? null : String(last.position) };
    },
    async toolCalls(viewer, id, { after, limit }) {
      const mark = parsePageMark(after, "after");
      const items = await asUser(store, viewer, (db) => callsAfter(db, id, mark, limit));
      return pageOf(items, limit, ({ created_at: at, id: row }) => ({ at, id: row }));
    },
    async runs(viewer, id, { after, limit }) {
      const mark = parsePageMark(after, "after");
      const items = await asUser(store, viewer, (db) => runsAfter(db, id, mark, limit));
      return pageOf(items, limit, ({ created_at: at, id: row }) => ({ at, id: row }));
    },
  };
}

function given(fields: ConversationFields) {
  const { title, description, keywords, status } = fields;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(status === undefined ? {} : { status }),
  };
}

function callsAfter(
  db: StoreDb,
  conversationId: string,
  mark: PageMark | undefined,
  limit: number,
): Promise<ToolCall[]> {
  const query = db
    .selectFrom("cx_tool_call")
    .selectAll()
    .where("conversation_id", "=", conversationId)
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit);
  if (mark === undefined) return query.execute();
  return query
    .where((eb) => eb(eb.refTuple("created_at", "id"), ">", eb.tuple(mark.at, mark.id)))
    .execute();
}

function runsAfter(
  db: StoreDb,
  conversationId: string,
  mark: PageMark | undefined,
  limit: number,
): Promise<RunRow[]> {
  const query = db
    .selectFrom("cx_user_request as request")
    .innerJoin("cx_run as run", "run.id", "request.id")
    .selectAll("request")
    .select(["run.status as run_status", "run.last_seq"])
    .where("request.conversation_id", "=", conversationId)
    .where("request.deleted_at", "is", null)
    .orderBy("request.created_at")
    .orderBy("request.id")
    .limit(limit);
  if (mark === undefined) return query.execute();
  return query
    .where((eb) =>
      eb(eb.refTuple("request.created_at", "request.id"), ">", eb.tuple(mark.at, mark.id)),
    )
    .execute();
}

function pageOf<Row>(
  items: readonly Row[],
  limit: number,
  markOf: (row: Row) => PageMark,
): Page<Row> {
  const last = items.length < limit ? undefined : items.at(-1);
  if (last === undefined) return { items, next: null };
  const { at, id } = markOf(last);
  return { items, next: `${at.toISOString()}_${id}` };
}
