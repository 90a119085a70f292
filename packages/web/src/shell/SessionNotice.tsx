/** Says what to do when the server refuses this browser. Nothing else helps then. */
import { ProblemError } from "@callboard/client";
import { useConnection } from "@callboard/client/react";
import { Notice } from "./Notice.js";

/** Why the server refuses this browser everything: its session does not hold, or it came by a link to one conversation. */
export type Refusal = "session" | "link";

export function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  if (error.status === 401) return "session";
  return error.problem.type.endsWith(":read-only-link") ? "link" : undefined;
}

export interface SessionNoticeProps {
  /** What was refused when the page was opened. */
  readonly refusal: Refusal | undefined;
}

export function SessionNotice({ refusal }: SessionNoticeProps) {
  const connection = useConnection();
  const refused =
    refusal ?? (connection.status === "failed" ? refusalIn(connection.error) : undefined);
  if (refused === undefined) return null;
  if (refused === "link") {
    return (
      <Notice title="Your link opens one conversation.">
        You may read it and nothing else on this server. Open the link again to go back to it.
      </Notice>
    );
  }
  return (
    <Notice title="Your browser session is no longer valid.">
      Open the address that <code className="font-mono text-xs">callboard serve</code> printed when
      it started: it signs this browser in again, and everything is where it was.
    </Notice>
  );
}
