/**
 * Local mode: one user, one random token for each start, in a file that only its owner may read. Programs
 * send it as a bearer token; the page has a session of its own. Compared in constant time.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { HttpProblem } from "../http/problem.js";
import { namedUuid } from "../ids.js";
import type { Authenticator } from "./caller.js";
import type { PageSessions } from "./pageSession.js";

/** Whoever holds the token is this user, unless `CALLBOARD_USER_ID` names an account: the person whose machine it is. */
export const localUserId = namedUuid("local user");

export function createLocalToken(): string {
  return randomBytes(32).toString("base64url");
}

export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

export interface LocalEntry {
  readonly userId: string;
  readonly token: string;
  /** Absent if the server has no page. */
  readonly sessions?: PageSessions;
}

export function createLocalAuthenticator({ userId, token, sessions }: LocalEntry): Authenticator {
  return {
    async callerOf(headers) {
      const given = bearerOf(headers);
      if (given !== undefined) {
        if (isSameSecret(given, token)) return { userId, proof: "localToken" };
        throw refusedLocally(
          "Invalid token. A new token is created at each start; read the current one from server.json.",
        );
      }
      const session = sessions && cookieOf(headers, sessions.cookieName);
      if (!sessions || session === undefined) return undefined;
      const expiresAt = sessions.expiryOf(session);
      if (expiresAt !== undefined) return { userId, proof: "pageSession", expiresAt };
      throw refusedLocally("The page's session is over: open the address that the server prints.");
    },
  };
}

function refusedLocally(detail: string): HttpProblem {
  return new HttpProblem(401, "wrong-token", detail, {
    headers: { "www-authenticate": 'Bearer error="invalid_token"' },
  });
}

export function bearerOf(headers: Headers): string | undefined {
  const [, token] = /^Bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  return token;
}

export function cookieOf(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals !== -1 && pair.slice(0, equals).trim() === name)
      return pair.slice(equals + 1).trim();
  }
  return undefined;
}

export interface ServerFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Where programs of the same user find the server. Written whole or not at all. */
export async function writeServerFile(home: string, contents: ServerFile): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = join(home, "server.json");
  const draft = `${path}.${contents.pid}.${randomBytes(4).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(contents)}\n`);
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return path;
}

/** Takes the file away, unless a later start has written its own. */
export async function removeServerFile(path: string, contents: ServerFile): Promise<void> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return;
  const text = await file.readFile("utf8").finally(() => file.close());
  if (text.trim() === JSON.stringify(contents)) await rm(path, { force: true });
}
