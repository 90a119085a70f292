/** The rows for which a search found a conversation: what a reader who sees them without secrets has to be shown before they count. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { storedText } from "../writing/storedText.js";
import { asReader, type Reader } from "./asReader.js";

export interface FoundRow {
  readonly conversationId: string;
  /** The columns that are searched. */
  readonly row: Readonly<Record<string, unknown>>;
}

/** Of one conversation, and of each text in a row: a search costs little whatever is shared. */
const maxRows = 3;
const maxChars = 10_000;

/** Nothing without words, and nothing of conversations that the reader does not see. */
export async function readFoundRows(
  db: StoreDb,
  options: {
    readonly as: Reader;
    readonly conversationIds: readonly string[];
    readonly search: string;
  },
): Promise<readonly FoundRow[]> {
  const { as, conversationIds, search } = options;
  if (conversationIds.length === 0) return [];
  const words = storedText(search);
  const { rows } = await asReader(db, as, (reader) =>
    sql<FoundRow>`
      select conversation.id as "conversationId", case found.kind
        when 'conversation' then jsonb_build_object(
          'title', conversation.title, 'description', conversation.description, 'keywords', conversation.keywords
        )
        when 'message' then (
          select jsonb_build_object('text', left(string_agg(part ->> 'text', ' '), ${maxChars}::integer))
          from cx_message, jsonb_array_elements(content) as part
          where cx_message.id = found.source_id and part ->> 'type' = 'text'
        )
        else (
          select jsonb_build_object(
            'tool_name', tool_name, 'error_message', left(error_message, ${maxChars}::integer),
            'arguments', case when length(arguments::text) <= ${maxChars}::integer then arguments end,
            'output', left(output, ${maxChars}::integer)
          )
          from cx_tool_call where id = found.source_id
        )
      end as row
      from cx_conversation as conversation
      cross join lateral (
        select entry.source_id, entry.kind from cx_search as entry
        where entry.conversation_id = conversation.id
          and entry.words @@ cx_word_query(${words}, cx_owner_mark(conversation.user_id))::tsquery
        limit ${maxRows}
      ) as found
      where conversation.id = any (${conversationIds}::uuid[])
    `.execute(reader),
  );
  return rows.filter(({ row }) => row !== null);
}
