/**
 * Encrypts and authenticates the messages between nodes with a key that only the service role can read
 * (`cx_node_secret`). A login role that listens on the same PostgreSQL or Redis learns nothing from it, and its own
 * messages are rejected.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

export interface Sealing {
  /** Base64 text. Two seals of one text differ. */
  seal(text: string): string;
  /** Undefined for what no holder of the key has sealed. */
  open(sealed: string): string | undefined;
}

const algorithm = "aes-256-gcm";
export const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export function createSealing(key: Uint8Array): Sealing {
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length < nonceBytes + tagBytes) return undefined;
      const nonce = bytes.subarray(0, nonceBytes);
      const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      decipher.setAuthTag(tag);
      try {
        const body = decipher.update(bytes.subarray(nonceBytes + tagBytes));
        return Buffer.concat([body, decipher.final()]).toString("utf8");
      } catch {
        // The tag does not fit: it is not of a node.
        return undefined;
      }
    },
  };
}

/** The key of this database's nodes; the first node makes it. */
export async function readNodeKey(db: StoreDb): Promise<Uint8Array> {
  await sql`insert into cx_node_secret default values on conflict do nothing`.execute(db);
  const { rows } = await sql<{
    readonly secret: string;
  }>`select secret from cx_node_secret`.execute(db);
  const secret = rows[0]?.secret ?? "";
  return createHash("sha256").update(`callboard messages between nodes ${secret}`).digest();
}
