/** With whom a conversation is shared. The database's own functions decide who may. */
import type { Store } from "@callboard/store";
import { asUser } from "./asUser.js";
import type { Viewer } from "./runStore.js";

export interface Share {
  readonly level: string;
  readonly user_id?: string;
  readonly is_public?: boolean;
}

export interface Sharing {
  list(viewer: Viewer, conversationId: string): Promise<readonly Share[]>;
  shareWith(viewer: Viewer, conversationId: string, userId: string, level: string): Promise<void>;
  /** False where it was not shared with them. */
  unshareWith(viewer: Viewer, conversationId: string, userId: string): Promise<boolean>;
  publish(viewer: Viewer, conversationId: string, isPublic: boolean): Promise<void>;
}

export function createSharing(store: Store): Sharing {
  return {
    async list(viewer, conversationId) {
      const { userId } = viewer;
      // Asked first: only whoever may share learns with whom it is shared.
      const grants = await asUser(store, viewer, async (db) => {
        await db
          .selectNoFrom((eb) => eb.fn("cx_require_sharing", [eb.val(conversationId)]).as("allowed"))
          .execute();
      }).then(() =>
        store.database.db
          .selectFrom("cx_permission")
          .select(["granted_to_user_id", "permission_level"])
          .where("resource_type", "=", "cx_conversation")
          .where("resource_id", "=", conversationId)
          .orderBy("created_at")
          .execute(),
      );
      const conversation = await store.read.conversation({ as: { userId }, conversationId });
      return [
        ...(conversation?.is_public ? [{ level: "viewer", is_public: true }] : []),
        ...grants.map(({ granted_to_user_id: user_id, permission_level: level }) => {
          return { level, user_id };
        }),
      ];
    },
    async shareWith(viewer, conversationId, userId, level) {
      await asUser(store, viewer, (db) =>
        db
          .selectNoFrom((eb) =>
            eb
              .fn("cx_share_conversation", [eb.val(conversationId), eb.val(userId), eb.val(level)])
              .as("shared"),
          )
          .execute(),
      );
    },
    async unshareWith(viewer, conversationId, userId) {
      const [answer] = await asUser(store, viewer, (db) =>
        db
          .selectNoFrom((eb) =>
            eb
              .fn<boolean>("cx_unshare_conversation", [eb.val(conversationId), eb.val(userId)])
              .as("wasShared"),
          )
          .execute(),
      );
      return answer?.wasShared ?? false;
    },
    async publish(viewer, conversationId, isPublic) {
      await asUser(store, viewer, (db) =>
        db
          .selectNoFrom((eb) =>
            eb
              .fn("cx_publish_conversation", [eb.val(conversationId), eb.val(isPublic)])
              .as("published"),
          )
          .execute(),
      );
    },
  };
}
