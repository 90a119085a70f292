/** Whether a user may go on with a conversation: its owner, and those whom it is shared with to edit. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { SessionUnknownError } from "../errors.js";

/** Throws where they may not. A conversation that does not exist yet is anyone's to begin. */
export async function assertEditor(
  db: StoreDb,
  conversationId: string,
  userId: string,
): Promise<void> {
  const { rows } = await sql<{ mayEdit: boolean }>`
    select conversation.deleted_at is null and (
      conversation.user_id = ${userId} or exists (
        select from cx_permission as permission
        where permission.granted_to_user_id = ${userId}
          and permission.resource_type = 'cx_conversation'
          and permission.resource_id = conversation.id
          and permission.permission_level >= 'editor'
          and (permission.expires_at is null or permission.expires_at > now())
      )
    ) as "mayEdit"
    from cx_conversation as conversation where id = ${conversationId}
  `.execute(db);
  if (rows[0]?.mayEdit === false) throw new SessionUnknownError(conversationId);
}
