/** Conversations as a list shows them: the newest first, a page at a time, searched by words. */
import { type Selectable, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { isUuid } from "../ids.js";
import type { ConversationTable } from "../schema.js";
import { asReader, type Reader } from "./asReader.js";

export type Conversation = Selectable<ConversationTable>;

export interface ConversationsOptions {
  readonly as: Reader;
  /** Words that its title, its description or something said in it holds, in any case. */
  readonly search?: string;
  /** Default 50. */
  readonly limit?: number;
  /** The last one of the page before. */
  readonly before?: { readonly updatedAt: Date; readonly id: string };
}

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
    if (before) {
      query = query.where(
        sql<boolean>`(updated_at, id) < (${before.updatedAt}::timestamptz, ${before.id}::uuid)`,
      );
    }
    if (search) query = query.where(matching(search));
    return await query.execute();
  });
}

/** The text parts of messages are searched, not their JSON: a word of its own keys finds nothing. */
function matching(search: string) {
  const pattern = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`(
    conversation.title ilike ${pattern} or conversation.description ilike ${pattern} or exists (
      select from cx_message as message, jsonb_array_elements(message.content) as part
      where message.conversation_id = conversation.id and message.deleted_at is null
        and part ->> 'type' = 'text' and part ->> 'text' ilike ${pattern}
    )
  )`;
}

export interface ConversationOptions {
  readonly as: Reader;
  readonly conversationId: string;
}

/** Undefined where there is none that the reader may see. */
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
