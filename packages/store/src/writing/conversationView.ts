/** How a conversation stands before a run begins in it. It reads; the beginning itself checks again. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

export interface ConversationView {
  readonly runs: number;
  readonly nextPosition: number;
  /** The node that has a run of it under way, other than the one that asks. */
  readonly busyOwner: string | null;
}

export async function viewConversation(
  db: StoreDb,
  conversationId: string,
  owner: string,
): Promise<ConversationView> {
  const { rows } = await sql<ConversationView>`
    select
      (select count(*) from cx_run where conversation_id = ${conversationId}) as runs,
      (select coalesce(max(position) + 1, 0) from cx_message where conversation_id = ${conversationId})
        as "nextPosition",
      (
        select run.owner from cx_run as run
        where run.conversation_id = ${conversationId} and run.status = 'open'
          and run.owner <> ${owner} and run.lease_until > clock_timestamp()
        limit 1
      ) as "busyOwner"
  `.execute(db);
  return rows[0] ?? { runs: 0, nextPosition: 0, busyOwner: null };
}
