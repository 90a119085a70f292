/**
 * Open logins at MCP servers, shared by all nodes: a link starts one, the browser that opens it is sent to the server,
 * and the returned answer consumes it, once. Expired ones are removed when the next one starts.
 */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { createLinkKey, parseLinkKey } from "../conversations/linkKey.js";
import { isUuid } from "../ids.js";
import type { LoginSealing } from "./mcpLogins.js";

export interface LoginAttempt {
  readonly id: string;
  readonly userId: string;
  readonly serverUrl: string;
}

export interface LoginAttempts {
  /** Returns the key of its link, `<id>.<secret>`. It is returned here and never again. */
  begin(attempt: Omit<LoginAttempt, "id">, times: AttemptTimes): Promise<string>;
  /** The attempt that a link opens; undefined if there is none, or it is over. */
  open(key: string, now: number): Promise<LoginAttempt | undefined>;
  /** Stores what the answer is checked against. False if the attempt is over. */
  keep(attempt: LoginAttempt, checks: unknown): Promise<boolean>;
  /** Ends an attempt, and gives it with what was kept: at most once. */
  take(id: string, now: number): Promise<(LoginAttempt & { readonly checks: unknown }) | undefined>;
}

export interface AttemptTimes {
  readonly now: number;
  readonly expiresAt: number;
}

interface AttemptRow {
  readonly userId: string;
  readonly serverUrl: string;
  readonly hash: string;
  readonly sealed: string | null;
}

export function createLoginAttempts(db: StoreDb, sealing: LoginSealing): LoginAttempts {
  return {
    async begin({ userId, serverUrl }, { now, expiresAt }) {
      const { id, key, hash } = createLinkKey();
      await sql`delete from cx_mcp_login_attempt where expires_at <= ${new Date(now)}`.execute(db);
      await sql`
        insert into cx_mcp_login_attempt (id, user_id, server_url, secret_hash, expires_at)
        values (${id}, ${userId}, ${serverUrl}, decode(${hash}, 'hex'), ${new Date(expiresAt)})
      `.execute(db);
      return key;
    },
    async open(text, now) {
      const key = parseLinkKey(text);
      if (!key) return undefined;
      const { rows } = await sql<AttemptRow>`
        select user_id as "userId", server_url as "serverUrl", encode(secret_hash, 'hex') as hash, sealed
        from cx_mcp_login_attempt where id = ${key.linkId} and expires_at > ${new Date(now)}
      `.execute(db);
      const [row] = rows;
      if (!row || !key.isOf(row.hash)) return undefined;
      return { id: key.linkId, userId: row.userId, serverUrl: row.serverUrl };
    },
    async keep({ id }, checks) {
      const { rows } = await sql`
        update cx_mcp_login_attempt set sealed = ${sealing.seal([id], checks)}
        where id = ${id} returning id
      `.execute(db);
      return rows.length > 0;
    },
    async take(id, now) {
      if (!isUuid(id)) return undefined;
      const { rows } = await sql<AttemptRow>`
        delete from cx_mcp_login_attempt
        where id = ${id} and sealed is not null and expires_at > ${new Date(now)}
        returning user_id as "userId", server_url as "serverUrl", encode(secret_hash, 'hex') as hash, sealed
      `.execute(db);
      const [row] = rows;
      if (!row) return undefined;
      const { userId, serverUrl } = row;
      return { id, userId, serverUrl, checks: sealing.open([id], row.sealed ?? "") };
    },
  };
}
