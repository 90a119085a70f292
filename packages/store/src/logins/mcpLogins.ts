/**
 * The logins of users at MCP servers in `cx_mcp_login`. They are encrypted before they are stored, together with their
 * user and address: a row that was copied to another user or address cannot be decrypted. It reads and writes as that
 * user, so the policy of the table enforces the ownership.
 */
import { createHash } from "node:crypto";
import { loginKey, type McpLogins, parseMcpLogin } from "@callboard/agent-sdk/mcp";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { createSealing, readNodeKey, type Sealing } from "../live/sealing.js";
import { asReader } from "../reading/asReader.js";

/** Opens what was sealed for the same names, and nothing else. */
export interface LoginSealing {
  seal(names: readonly string[], value: unknown): string;
  open(names: readonly string[], sealed: string): unknown;
}

/**
 * `key` is a secret of the operator's that is not in the database. Without one the key is made from the secret of the
 * database's nodes: then a copy of the whole database opens its logins.
 */
export async function createLoginSealing(
  db: StoreDb,
  key: string | undefined,
): Promise<LoginSealing> {
  const purpose = createHash("sha256").update("callboard logins at MCP servers ");
  return boundSealing(createSealing(purpose.update(key ?? (await readNodeKey(db))).digest()));
}

function boundSealing({ seal, open }: Sealing): LoginSealing {
  return {
    seal: (names, value) => seal(JSON.stringify([names, value])),
    open(names, sealed) {
      const text = open(sealed);
      if (text === undefined) return undefined;
      const read: unknown = JSON.parse(text);
      if (!Array.isArray(read) || JSON.stringify(read[0]) !== JSON.stringify(names))
        return undefined;
      return read[1];
    },
  };
}

export function createMcpLogins(db: StoreDb, sealing: LoginSealing, userId: string): McpLogins {
  const reader = { userId };
  return {
    async read(url) {
      const key = loginKey(url);
      const { rows } = await asReader(db, reader, (own) =>
        sql<{ readonly sealed: string }>`
          select sealed from cx_mcp_login where user_id = ${userId} and server_url = ${key}
        `.execute(own),
      );
      // Encrypted with a key that is no longer used: treated as missing, and the user logs in again.
      return rows[0] && parseMcpLogin(sealing.open([userId, key], rows[0].sealed));
    },
    async write(url, login) {
      const key = loginKey(url);
      await asReader(db, reader, async (own) => {
        if (login === undefined) {
          await sql`
            delete from cx_mcp_login where user_id = ${userId} and server_url = ${key}
          `.execute(own);
          return;
        }
        await sql`
          insert into cx_mcp_login (user_id, server_url, sealed)
          values (${userId}, ${key}, ${sealing.seal([userId, key], login)})
          on conflict (user_id, server_url) do update set sealed = excluded.sealed, updated_at = now()
        `.execute(own);
      });
    },
  };
}
