/**
 * Conversations and their parts, read and changed as the calling user. Rows have the columns of the tables. A row that
 * the user may not see is treated as absent.
 */
import { withoutUndefined } from "@callboard/run-log/values";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { NotAllowedError } from "../errors.js";
import { asReader } from "../reading/asReader.js";
import { readBoundedPage } from "../reading/boundedPage.js";
import {
  type Conversation,
  readConversation,
  readConversations,
} from "../reading/conversations.js";
import { type Figures, readFigures } from "../reading/figures.js";
import { type FoundRow, readFoundRows } from "../reading/foundRows.js";
import {
  type Message,
  type MessageRun,
  readRunOfMessage,
  type ToolCall,
} from "../reading/messages.js";
import { type RunSummary, readRunSummaries } from "../reading/runSummaries.js";
import type { UserRequest } from "../reading/runs.js";
import { storedText } from "../writing/storedText.js";
import { type Access, readAccess, readVisible, type Viewer } from "./access.js";
import { formatPageMark, type PageMark, parsePageMark } from "./pageMark.js";
import { type RunSetup, readSetup } from "./setup.js";

export interface ConversationFields {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly keywords?: readonly string[] | null | undefined;
  readonly status?: Conversation["status"] | undefined;
}

export interface PageOptions {
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface Page<Row> {
  readonly items: readonly Row[];
  /** The start of the next page; null on the last one. */
  readonly next: string | null;
}

/** A request with how far its run is. */
export type RunRow = UserRequest & {
  readonly run_status: "open" | "closed";
  readonly last_seq: number;
};

/** Rows for people: read and changed under the rights of the viewer. */
export interface ConversationRows {
  list(
    viewer: Viewer,
    options: {
      readonly search?: string | undefined;
      readonly before?: string | undefined;
      readonly limit: number;
    },
  ): Promise<Page<Conversation>>;
  /** Rows for which `search` finds these conversations; at most a few of each. */
  foundRows(viewer: Viewer, ids: readonly string[], search: string): Promise<readonly FoundRow[]>;
  find(viewer: Viewer, id: string): Promise<Conversation | undefined>;
  /** Undefined if the id is taken, by any user; the existing conversation stays unchanged. */
  create(viewer: Viewer, id: string, fields: ConversationFields): Promise<Conversation | undefined>;
  /** Undefined if there is none that the viewer may change. */
  change(viewer: Viewer, id: string, fields: ConversationFields): Promise<Conversation | undefined>;
  /** Deletes it with everything in it. False if there is none; throws if the viewer may not. */
  remove(viewer: Viewer, id: string): Promise<boolean>;
  /** Pages of messages and calls also end where they have enough bytes. */
  messages(viewer: Viewer, id: string, page: PageOptions): Promise<Page<Message>>;
  toolCalls(viewer: Viewer, id: string, page: PageOptions): Promise<Page<ToolCall>>;
  runs(viewer: Viewer, id: string, page: PageOptions): Promise<Page<RunRow>>;
  /** The totals of the runs of conversations, by conversation. */
  summaries(viewer: Viewer, ids: readonly string[]): Promise<ReadonlyMap<string, RunSummary>>;
  /** The usage of the viewer's own tools, models and days in the last so many days. */
  figures(viewer: Viewer, days: number): Promise<Figures>;
}

/** With the queries of a server on its own behalf. */
export interface ConversationStore extends ConversationRows {
  /** The viewer's rights on a conversation: undefined if it does not exist or is not visible. */
  accessOf(viewer: Viewer, id: string): Promise<Access | undefined>;
  /** Those of the conversations that the viewer may see. */
  visible(viewer: Viewer, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a conversation of this id exists, for any user, also a deleted one. */
  exists(id: string): Promise<boolean>;
  /** The position of a message in its conversation; 0 if it does not exist. */
  messagePosition(messageRowId: string): Promise<number>;
  /** The run that has a message of the user, unless another run took its place. */
  runOfMessage(conversationId: string, messageId: string): Promise<MessageRun | undefined>;
  readSetup(id: string): Promise<RunSetup | undefined>;
}

/** No row has it. */
const lastUuid = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export function createConversationStore(db: StoreDb): ConversationStore {
  return {
    async list({ userId }, { search, before, limit }) {
      const mark = parsePageMark(before, "before");
      const items = await readConversations(db, {
        as: { userId },
        limit,
        ...withoutUndefined({ search }),
        ...(mark === undefined ? {} : { before: { updatedAt: mark.at, id: mark.id } }),
      });
      return pageOf(items, limit, ({ updated_at: at, id }) => ({ at, id }));
    },
    foundRows: ({ userId }, conversationIds, search) =>
      readFoundRows(db, { as: { userId }, conversationIds, search }),
    find: ({ userId }, conversationId) => readConversation(db, { as: { userId }, conversationId }),
    create: ({ userId }, id, fields) =>
      asReader(db, { userId }, (reader) =>
        reader
          .insertInto("cx_conversation")
          .values({ id, user_id: userId, ...given(fields) })
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returningAll()
          .executeTakeFirst(),
      ),
    async change({ userId }, id, fields) {
      const set = given(fields);
      if (Object.keys(set).length === 0) {
        return readConversation(db, { as: { userId }, conversationId: id });
      }
      return asReader(db, { userId }, (reader) =>
        reader
          .updateTable("cx_conversation")
          .set(set)
          .where("id", "=", id)
          .where("deleted_at", "is", null)
          .returningAll()
          .executeTakeFirst(),
      );
    },
    async remove({ userId }, id) {
      const removed = await asReader(db, { userId }, (reader) =>
        reader
          .deleteFrom("cx_conversation")
          .where("id", "=", id)
          .returning("id")
          .executeTakeFirst(),
      );
      if (removed !== undefined) return true;
      if (!(await readConversation(db, { as: { userId }, conversationId: id }))) return false;
      throw new NotAllowedError("only the owner or an admin of a conversation may delete it");
    },
    async messages({ userId }, id, { after, limit }) {
      const from =
        after === undefined ? undefined : sql`(${Number(after)}::integer, ${lastUuid}::uuid)`;
      return await asReader(db, { userId }, async (reader) => {
        const page = { table: "cx_message", order: "position", conversationId: id } as const;
        const { ids, isLast } = await readBoundedPage(reader, { ...page, after: from, limit });
        const items = await reader
          .selectFrom("cx_message")
          .selectAll()
          .where("id", "in", ids.length === 0 ? [lastUuid] : ids)
          .orderBy("position")
          .execute();
        const last = isLast ? undefined : items.at(-1);
        return { items, next: last === undefined ? null : String(last.position) };
      });
    },
    async toolCalls({ userId }, id, { after, limit }) {
      const mark = parsePageMark(after, "after");
      const from = mark && sql`(${mark.at}::timestamptz, ${mark.id}::uuid)`;
      return await asReader(db, { userId }, async (reader) => {
        const page = { table: "cx_tool_call", order: "created_at", conversationId: id } as const;
        const { ids, isLast } = await readBoundedPage(reader, { ...page, after: from, limit });
        const items = await reader
          .selectFrom("cx_tool_call")
          .selectAll()
          .where("id", "in", ids.length === 0 ? [lastUuid] : ids)
          .orderBy("created_at")
          .orderBy("id")
          .execute();
        const last = isLast ? undefined : items.at(-1);
        const next = last && formatPageMark({ at: last.created_at, id: last.id });
        return { items, next: next ?? null };
      });
    },
    async runs({ userId }, id, { after, limit }) {
      const mark = parsePageMark(after, "after");
      const items = await asReader(db, { userId }, (reader) => runsAfter(reader, id, mark, limit));
      return pageOf(items, limit, ({ created_at: at, id: row }) => ({ at, id: row }));
    },
    summaries: ({ userId }, ids) =>
      asReader(db, { userId }, (reader) => readRunSummaries(reader, ids)),
    figures: ({ userId }, days) =>
      asReader(db, { userId }, (reader) => readFigures(reader, userId, days)),
    accessOf: (viewer, id) => readAccess(db, viewer, id),
    visible: (viewer, ids) => readVisible(db, viewer, ids),
    async exists(id) {
      const query = db.selectFrom("cx_conversation").select("id").where("id", "=", id);
      return (await query.executeTakeFirst()) !== undefined;
    },
    async messagePosition(messageRowId) {
      const query = db.selectFrom("cx_message").select("position").where("id", "=", messageRowId);
      return (await query.executeTakeFirst())?.position ?? 0;
    },
    runOfMessage: (id, messageId) => readRunOfMessage(db, id, messageId),
    readSetup: (id) => readSetup(db, id),
  };
}

function given(fields: ConversationFields) {
  const { title, description, keywords, status } = fields;
  return {
    ...(title === undefined ? {} : { title: textOrNull(title) }),
    ...(description === undefined ? {} : { description: textOrNull(description) }),
    ...(keywords === undefined ? {} : { keywords: keywords?.map(storedText) ?? null }),
    ...withoutUndefined({ status }),
  };
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : storedText(text);
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
  return { items, next: formatPageMark(markOf(last)) };
}
