/** Conversations as a list shows them: the newest first, a page at a time, searched by words. */
import { type Selectable, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { isUuid } from "../ids.js";
import type { ConversationTable } from "../schema.js";
import { storedText } from "../writing/storedText.js";
import { asReader, type Reader } from "./asReader.js";

export type Conversation = Selectable<ConversationTable>;

export interface ConversationsOptions {
  readonly as: Exclude<Reader, "anonymous">;
  /** Words, or their starts, that its title, its messages or its calls hold. All of them, in one row. */
  readonly search?: string;
  /** Default 50. */
  readonly limit?: number;
  /** The last one of the page before. */
  readonly before?: { readonly updatedAt: Date; readonly id: string };
}

/**
 * A user's own and those shared with them, by Callboard or by the project's own `has_permission`. Public ones of others
 * are found by their id, not here.
 */
export async function readConversations(
  db: StoreDb,
  options: ConversationsOptions,
): Promise<readonly Conversation[]> {
  const { as, search, limit = 50, before } = options;
  return await asReader(db, as, async (reader) => {
    let query = reader
      .selectFrom("cx_conversation as conversation")
      .selectAll()
      .where("deleted_at", "is", null)
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(limit);
    if (as !== "service") {
      query = query.where(
        sql<boolean>`(user_id = ${as.userId}::uuid
          or id = any ((select cx_granted_conversations('viewer'))::uuid[])
          or id = any ((select cx_project_conversations())::uuid[])
          or ((select cx_project_conversations()) is null
            and not is_public and cx_project_allows(id, 'viewer')))`,
      );
    }
    if (before) {
      query = query.where(
        sql<boolean>`(updated_at, id) < (${before.updatedAt}::timestamptz, ${before.id}::uuid)`,
      );
    }
    if (search) {
      const words = storedText(search);
      query = query.where(
        as === "service"
          ? anywhere(words)
          : sql<boolean>`id in (
              select cx_search_conversations(${words})
              union all
              select entry.conversation_id from cx_search as entry
              join cx_conversation as shared on shared.id = entry.conversation_id
              where entry.conversation_id = any ((select cx_project_conversations())::uuid[])
                and entry.words @@ cx_word_query(${words}, cx_owner_mark(shared.user_id))::tsquery
            )`,
      );
    }
    return await query.execute();
  });
}

/** The service has no mark of its own: it looks with the mark of each conversation's owner. */
function anywhere(words: string) {
  return sql<boolean>`exists (
    select from cx_search as entry
    where entry.conversation_id = conversation.id
      and entry.words @@ cx_word_query(${words}, cx_owner_mark(conversation.user_id))::tsquery
  )`;
}

export interface ConversationOptions {
  readonly as: Reader;
  readonly conversationId: string;
}

/** Undefined if there is none that the reader may see. */
export async function readConversation(
  db: StoreDb,
  { as, conversationId }: ConversationOptions,
): Promise<Conversation | undefined> {
  if (!isUuid(conversationId)) return undefined;
  return await asReader(db, as, (reader) =>
    reader
      .selectFrom("cx_conversation")
      .selectAll()
      .where("id", "=", conversationId)
      .where("deleted_at", "is", null)
      .executeTakeFirst(),
  );
}
