/** Whether a user may continue a conversation: its owner, and users who may edit it. */

import type { StoreDb } from "../connections/database.js";
import { isAtLeast, readAccess } from "../conversations/access.js";
import { SessionUnknownError } from "../errors.js";

/** Throws if they may not. Any user may start a conversation that does not exist yet. */
export async function assertEditor(
  db: StoreDb,
  conversationId: string,
  userId: string,
): Promise<void> {
  const access = await readAccess(db, { userId }, conversationId);
  if (isAtLeast(access, "editor")) return;
  const existing = await db
    .selectFrom("cx_conversation")
    .select("id")
    .where("id", "=", conversationId)
    .executeTakeFirst();
  if (existing) throw new SessionUnknownError(conversationId);
}
