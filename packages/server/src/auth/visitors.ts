/**
 * Visitors: people who opened a link to one conversation. Its key is in a cookie, and each request checks in the
 * database whether the link is still valid. A caller with credentials is that user and not a visitor.
 */
import type { ShareLinks } from "@callboard/store";
import { HttpProblem } from "../http/problem.js";
import type { Authenticator, Identity } from "./caller.js";
import { cookieOf } from "./localToken.js";

export interface Visitors {
  /** A `Set-Cookie` for a person who opened a link. */
  cookie(key: string, expiresAt: number): string;
  /** Asks the one that is given first. */
  authenticator(first: Authenticator): Authenticator;
}

export interface VisitorOptions {
  readonly links: Pick<ShareLinks, "open">;
  readonly port: number;
  readonly now: () => number;
}

export function createVisitors({ links, port, now }: VisitorOptions): Visitors {
  const cookieName = `callboard_link_${port}`;

  async function visitorWith(key: string): Promise<Identity | undefined> {
    const link = await links.open(key, now());
    if (link.status !== "open") return undefined;
    return { userId: link.linkId, proof: "shareLink", expiresAt: link.expiresAt };
  }

  return {
    cookie(key, expiresAt) {
      const seconds = Math.max(0, Math.ceil((expiresAt - now()) / 1_000));
      return `${cookieName}=${key}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}`;
    },
    authenticator: (first) => ({
      async callerOf(headers) {
        const key = cookieOf(headers, cookieName);
        if (key === undefined || headers.has("authorization")) return first.callerOf(headers);
        const refusals: unknown[] = [];
        const known = await first.callerOf(headers).catch((error: unknown) => {
          refusals.push(error);
          return undefined;
        });
        const caller = known ?? (await visitorWith(key));
        if (caller) return caller;
        throw refusals[0] ?? linkIsOver();
      },
    }),
  };
}

function linkIsOver(): HttpProblem {
  const detail = "The link has expired or was revoked: ask its owner for a new one.";
  return new HttpProblem(401, "link-over", detail);
}
