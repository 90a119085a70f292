/** The key of a link: `<id>.<secret>`, returned once. The id finds the link; of the secret, 256 random bits, only the hash is stored. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { isUuid } from "../ids.js";

const secretBytes = 32;
const keyForm = /^([0-9a-f-]{36})\.([\w-]{43})$/;

export interface NewLinkKey {
  readonly id: string;
  readonly key: string;
  /** Of its secret, in hexadecimal. */
  readonly hash: string;
}

export function createLinkKey(): NewLinkKey {
  const id = randomUUID();
  const secret = randomBytes(secretBytes).toString("base64url");
  return { id, key: `${id}.${secret}`, hash: hashOf(secret).toString("hex") };
}

export interface LinkKey {
  readonly linkId: string;
  /** Compares in constant time. */
  isOf(storedHash: string): boolean;
}

/** Undefined if the text is not a key. */
export function parseLinkKey(key: string): LinkKey | undefined {
  const [, linkId = "", secret = ""] = keyForm.exec(key) ?? [];
  if (!isUuid(linkId)) return undefined;
  return {
    linkId,
    isOf: (storedHash) => timingSafeEqual(Buffer.from(storedHash, "hex"), hashOf(secret)),
  };
}

function hashOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
