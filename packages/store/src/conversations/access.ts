/** A user's rights on a conversation: as owner, or granted by the database's own functions. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { asReader } from "../reading/asReader.js";
import { readConversation } from "../reading/conversations.js";

export interface Viewer {
  readonly userId: string;
}

/** Each level includes the one before it. */
export const accessLevels = ["viewer", "editor", "admin", "owner"] as const;
export type Access = (typeof accessLevels)[number];

export function isAtLeast(access: Access | undefined, level: Access): boolean {
  return access !== undefined && accessLevels.indexOf(access) >= accessLevels.indexOf(level);
}

/** Undefined if the conversation does not exist or the viewer may not see it. */
export async function readAccess(
  db: StoreDb,
  { userId }: Viewer,
  conversationId: string,
): Promise<Access | undefined> {
  const as = { userId };
  const conversation = await readConversation(db, { as, conversationId });
  if (!conversation) return undefined;
  if (conversation.user_id === userId) return "owner";
  const { rows } = await asReader(db, as, (reader) =>
    sql<{ isEditor: boolean; isAdmin: boolean }>`
      select cx_has_permission('cx_conversation', ${conversationId}, 'editor') as "isEditor",
        cx_has_permission('cx_conversation', ${conversationId}, 'admin') as "isAdmin"
    `.execute(reader),
  );
  if (rows[0]?.isAdmin) return "admin";
  return rows[0]?.isEditor ? "editor" : "viewer";
}

/** Those of the conversations that the viewer may see and that are not deleted. */
export async function readVisible(
  db: StoreDb,
  { userId }: Viewer,
  conversationIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (conversationIds.length === 0) return new Set();
  const rows = await asReader(db, { userId }, (reader) =>
    reader
      .selectFrom("cx_conversation")
      .select("id")
      .where("id", "in", conversationIds)
      .where("deleted_at", "is", null)
      .execute(),
  );
  return new Set(rows.map(({ id }) => id));
}
