/**
 * Links whose holder can read one conversation. The database stores the hash of a link's secret, and lets its owner
 * alone create, see and revoke it; a visitor reads as the user with the link's id.
 */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { asReader } from "../reading/asReader.js";
import type { Viewer } from "./access.js";
import { createLinkKey, parseLinkKey } from "./linkKey.js";

export interface ShareLink {
  readonly id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
}

/** What a link opens, or why it opens nothing. Only a caller with its secret learns that it was revoked or has expired. */
export type OpenedLink =
  | {
      readonly status: "open";
      readonly linkId: string;
      readonly conversationId: string;
      /** In milliseconds since the epoch. */
      readonly expiresAt: number;
    }
  | { readonly status: "expired" | "revoked" | "unknown" };

export interface ShareLinks {
  /** The key is `<id>.<secret>`. It is returned here and never again. */
  create(
    viewer: Viewer,
    conversationId: string,
    expiresAt: Date,
  ): Promise<{ readonly id: string; readonly key: string }>;
  list(viewer: Viewer, conversationId: string): Promise<readonly ShareLink[]>;
  /** False if there is no valid link of this id. */
  revoke(viewer: Viewer, conversationId: string, linkId: string): Promise<boolean>;
  open(key: string, now: number): Promise<OpenedLink>;
}

const unknown: OpenedLink = { status: "unknown" };

export function createShareLinks(db: StoreDb): ShareLinks {
  return {
    async create({ userId }, conversationId, expiresAt) {
      const { id, key, hash } = createLinkKey();
      const until = expiresAt.toISOString();
      await asReader(db, { userId }, (reader) =>
        sql`
          select cx_create_share_link(
            ${conversationId}, ${id}, decode(${hash}, 'hex'), ${until}
          )
        `.execute(reader),
      );
      return { id, key };
    },
    async list({ userId }, conversationId) {
      const { rows } = await asReader(db, { userId }, (reader) =>
        sql<ShareLink>`
          select id, created_at, expires_at, revoked_at from cx_share_links(${conversationId})
        `.execute(reader),
      );
      return rows;
    },
    async revoke({ userId }, conversationId, linkId) {
      const { rows } = await asReader(db, { userId }, (reader) =>
        sql<{ wasOpen: boolean }>`
          select cx_revoke_share_link(${conversationId}, ${linkId}) as "wasOpen"
        `.execute(reader),
      );
      return rows[0]?.wasOpen ?? false;
    },
    async open(text, now) {
      const key = parseLinkKey(text);
      if (!key) return unknown;
      const { linkId } = key;
      const { rows } = await sql<StoredLink>`
        select link.conversation_id as "conversationId", encode(link.secret_hash, 'hex') as hash,
          (extract(epoch from link.expires_at) * 1000)::float8 as "expiresAt",
          link.revoked_at is not null as "isRevoked"
        from cx_share_link as link
        join cx_conversation as conversation on conversation.id = link.conversation_id
        where link.id = ${linkId} and conversation.deleted_at is null
      `.execute(db);
      const [link] = rows;
      if (!link || !key.isOf(link.hash)) return unknown;
      if (link.isRevoked) return { status: "revoked" };
      if (link.expiresAt <= now) return { status: "expired" };
      const { conversationId, expiresAt } = link;
      return { status: "open", linkId, conversationId, expiresAt };
    },
  };
}

interface StoredLink {
  readonly conversationId: string;
  readonly hash: string;
  readonly expiresAt: number;
  readonly isRevoked: boolean;
}
