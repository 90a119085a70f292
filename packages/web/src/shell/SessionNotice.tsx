/** Says what to do when the server refuses this browser. Nothing else helps then. */
import { ProblemError } from "@callboard/client";
import { useConnection } from "@callboard/client/react";
import type { ReactNode } from "react";
import { ClosedDoor } from "./ClosedDoor.js";
import { Notice } from "./Notice.js";

/** Why the server refuses this browser everything: its session does not hold, or it came by a link to one conversation. */
export type Refusal = "session" | "link";

export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  if (error.status === 401) return "session";
  return error.problem.type.endsWith(":read-only-link") ? "link" : undefined;
}

const words: Readonly<Record<Refusal, readonly [title: string, what: ReactNode]>> = {
  link: [
    "Your link opens one conversation.",
    "You may read it and nothing else on this server. Open the link again to go back to it.",
  ],
  session: [
    "Your browser session is no longer valid.",
    <>
      Open the address that <code className="font-mono text-xs">callboard serve</code> printed when
      it started: it signs this browser in again, and everything is where it was.
    </>,
  ],
};

/** Replaces the page if the server refused it from the start. */
export function RefusedPage({ refusal }: { readonly refusal: Refusal }) {
  const [title, what] = words[refusal];
  return <ClosedDoor title={title}>{what}</ClosedDoor>;
}

/** Shown above the page if the session ended while the page was open. */
export function SessionNotice() {
  const connection = useConnection();
  const refusal = connection.status === "failed" ? refusalIn(connection.error) : undefined;
  if (refusal === undefined) return null;
  const [title, what] = words[refusal];
  return <Notice title={title}>{what}</Notice>;
}
