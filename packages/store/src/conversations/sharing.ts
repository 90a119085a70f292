/** The users with whom a conversation is shared. The database's own functions decide the rights. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { asReader } from "../reading/asReader.js";
import { readConversation } from "../reading/conversations.js";
import type { PermissionLevel } from "../schema.js";
import type { Viewer } from "./access.js";

export interface Share {
  readonly level: PermissionLevel;
  readonly user_id?: string;
  readonly is_public?: boolean;
}

export interface Sharing {
  list(viewer: Viewer, conversationId: string): Promise<readonly Share[]>;
  shareWith(
    viewer: Viewer,
    conversationId: string,
    userId: string,
    level: PermissionLevel,
  ): Promise<void>;
  /** False if it was not shared with them. */
  unshareWith(viewer: Viewer, conversationId: string, userId: string): Promise<boolean>;
  publish(viewer: Viewer, conversationId: string, isPublic: boolean): Promise<void>;
}

export function createSharing(db: StoreDb): Sharing {
  return {
    async list({ userId }, conversationId) {
      const as = { userId };
      const { rows } = await asReader(db, as, (reader) =>
        sql<{ user_id: string; level: PermissionLevel }>`
          select user_id, permission_level as level from cx_conversation_grants(${conversationId})
        `.execute(reader),
      );
      const conversation = await readConversation(db, { as, conversationId });
      const forEverybody: readonly Share[] = [{ level: "viewer", is_public: true }];
      return [...(conversation?.is_public ? forEverybody : []), ...rows];
    },
    async shareWith({ userId: as }, conversationId, userId, level) {
      await asReader(db, { userId: as }, (reader) =>
        sql`select cx_share_conversation(${conversationId}, ${userId}, ${level})`.execute(reader),
      );
    },
    async unshareWith({ userId: as }, conversationId, userId) {
      const { rows } = await asReader(db, { userId: as }, (reader) =>
        sql<{ wasShared: boolean }>`
          select cx_unshare_conversation(${conversationId}, ${userId}) as "wasShared"
        `.execute(reader),
      );
      return rows[0]?.wasShared ?? false;
    },
    async publish({ userId }, conversationId, isPublic) {
      await asReader(db, { userId }, (reader) =>
        sql`select cx_publish_conversation(${conversationId}, ${isPublic})`.execute(reader),
      );
    },
  };
}
