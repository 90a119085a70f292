/**
 * The settings of waiting messages (agent, variables, client tools), by conversation and message, so that any node
 * starts their runs as their senders asked. The server defines the content. Rows that are not deleted before are deleted
 * with their conversation.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { storedText } from "../writing/storedText.js";

export interface QueuedAsks {
  /** Replaces what is stored for the same message. Stores nothing for a conversation that was deleted. */
  keep(conversationId: string, messageId: string, ask: object): Promise<void>;
  /** By the id of the message. */
  read(conversationId: string): Promise<ReadonlyMap<string, JsonObject>>;
  forget(conversationId: string, messageIds: readonly string[]): Promise<void>;
}

export function createQueuedAsks(db: StoreDb): QueuedAsks {
  return {
    async keep(conversationId, messageId, ask) {
      await sql`
        insert into cx_queued_ask (conversation_id, message_id, ask)
        select id, ${storedText(messageId)}, ${JSON.stringify(ask)}::json from cx_conversation
        where id = ${conversationId}
        on conflict (conversation_id, message_id) do update set ask = excluded.ask
      `.execute(db);
    },
    async read(conversationId) {
      const { rows } = await sql<{ messageId: string; ask: string }>`
        select message_id as "messageId", ask::text as ask from cx_queued_ask
        where conversation_id = ${conversationId}
      `.execute(db);
      return new Map(
        rows.flatMap(({ messageId, ask }) => {
          const kept: JsonValue = JSON.parse(ask);
          return isJsonObject(kept) ? [[messageId, kept]] : [];
        }),
      );
    },
    async forget(conversationId, messageIds) {
      await sql`
        delete from cx_queued_ask
        where conversation_id = ${conversationId}
          and message_id = any (${messageIds.map(storedText)}::text[])
      `.execute(db);
    },
  };
}
