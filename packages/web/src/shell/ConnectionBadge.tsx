/** How the page's stream is, in words: live, reconnecting, offline. */
import type { ConnectionView } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { type Refusal, refusalIn } from "./SessionNotice.js";

export function ConnectionBadge({ connection }: { readonly connection: ConnectionView }) {
  const board = useBoard();
  return (
    <span
      role="status"
      className={`text-xs ${looks[connection.status]}`}
      title={connection.status === "reconnecting" ? connectionReasonOf(connection) : undefined}
      data-connection={connection.status}
    >
      {connection.status !== "idle" && <span aria-hidden="true" className="live-dot" />}
      {wordsFor(connection)}
      {connection.status === "failed" && refusalIn(connection.error) === undefined && (
        <button type="button" className="ml-2 text-accent underline" onClick={board.reconnect}>
          Try again
        </button>
      )}
    </span>
  );
}

const looks: Readonly<Record<ConnectionView["status"], string>> = {
  idle: "",
  connecting: "text-quiet",
  live: "text-done",
  reconnecting: "text-approval",
  failed: "text-failed",
};

function connectionReasonOf({
  attempt,
  reason,
}: Extract<ConnectionView, { status: "reconnecting" }>): string {
  return `Attempt ${attempt}: ${reason}`;
}

function wordsFor(connection: ConnectionView): string {
  switch (connection.status) {
    case "idle":
      return "";
    case "connecting":
      return "connecting…";
    case "live":
      return "live";
    case "reconnecting":
      return "reconnecting… nothing is lost";
    case "failed":
      return failureWords(connection.error);
    default:
      return connection satisfies never;
  }
}

/** The page states what to do. The message of the server is for programs. */
const refusalWords: Readonly<Record<Refusal, string>> = {
  session: "not signed in",
  link: "read only",
};

function failureWords(error: Error): string {
  const refusal = refusalIn(error);
  return refusal === undefined ? `offline: ${error.message}` : refusalWords[refusal];
}
