/**
 * The session of the page: a cookie with its expiry, signed with a key of this home. It survives the token of a start,
 * so that an open page continues after a restart; another home refuses it, and so does this one once its key is removed.
 */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isFileMissing } from "@callboard/run-log/values";

export interface PageSessions {
  /** Its name contains the port: browsers send the cookies of a host to all of its ports. */
  readonly cookieName: string;
  /** A `Set-Cookie` for a new session. */
  cookie(): string;
  /** Until when a session holds, in milliseconds since the epoch; undefined for one that does not. */
  expiryOf(session: string): number | undefined;
}

export interface PageSessionOptions {
  readonly key: Buffer;
  readonly port: number;
  readonly now: () => number;
}

const lastsSeconds = 30 * 24 * 60 * 60;
const form = /^(\d{1,12}\.[\w-]{22})\.([\w-]{43})$/;

export function createPageSessions({ key, port, now }: PageSessionOptions): PageSessions {
  const cookieName = `callboard_session_${port}`;
  const signatureOf = (said: string): Buffer =>
    createHmac("sha256", key).update(`callboard page session ${said}`).digest();
  return {
    cookieName,
    cookie() {
      const until = Math.floor(now() / 1_000) + lastsSeconds;
      const said = `${until}.${randomBytes(16).toString("base64url")}`;
      const session = `${said}.${signatureOf(said).toString("base64url")}`;
      return `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${lastsSeconds}`;
    },
    expiryOf(session) {
      const [, said = "", signature = ""] = form.exec(session) ?? [];
      const given = Buffer.from(signature, "base64url");
      const right = signatureOf(said);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
      const until = Number.parseInt(said, 10) * 1_000;
      return until > now() ? until : undefined;
    },
  };
}

const keyBytes = 32;

/** The key of this home, created if there is none. A key that others could read is not used again. */
export async function readSessionKey(home: string): Promise<Buffer> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = join(home, "session.key");
  const known = await keyIn(path);
  if (known) return known;
  const key = randomBytes(keyBytes);
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(key);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // Two starts may each have made one: the last to be put there counts for both.
  return (await keyIn(path)) ?? key;
}

async function keyIn(path: string): Promise<Buffer | undefined> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (isFileMissing(error)) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { mode } = await file.stat();
    const isOpenToOthers = process.platform !== "win32" && (mode & 0o077) !== 0;
    const key = await file.readFile();
    return isOpenToOthers || key.length !== keyBytes ? undefined : key;
  } finally {
    await file.close();
  }
}
