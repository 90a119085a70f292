/** How the page's stream is, in words: live, reconnecting, offline. */
import type { ConnectionView } from "@callboard/client";
import { useBoard } from "@callboard/client/react";

export function ConnectionBadge({ connection }: { readonly connection: ConnectionView }) {
  const board = useBoard();
  return (
    <span role="status" className="text-quiet text-xs" data-connection={connection.status}>
      {wordsFor(connection)}
      {connection.status === "failed" && (
        <button type="button" className="ml-2 text-accent underline" onClick={board.reconnect}>
          Try again
        </button>
      )}
    </span>
  );
}

function wordsFor(connection: ConnectionView): string {
  switch (connection.status) {
    case "idle":
      return "";
    case "connecting":
      return "connecting…";
    case "live":
      return "● live";
    case "reconnecting":
      return `reconnecting (${connection.attempt}): ${connection.reason}`;
    case "failed":
      return `offline: ${connection.error.message}`;
    default:
      return connection satisfies never;
  }
}
