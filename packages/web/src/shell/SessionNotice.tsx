/** Says what to do when the server does not know this page any more. Nothing else helps then. */
import { ProblemError } from "@callboard/client";
import { useConnection } from "@callboard/client/react";

export function SessionNotice() {
  const connection = useConnection();
  const isRefused =
    connection.status === "failed" &&
    connection.error instanceof ProblemError &&
    connection.error.status === 401;
  if (!isRefused) return null;
  return (
    <p role="alert" className="border-failed border-b bg-failed/10 px-4 py-2 text-sm">
      <strong className="text-failed">The server does not know this page any more.</strong> Open the
      address that <code className="font-mono text-xs">callboard serve</code> printed when it
      started: it signs this browser in again, and everything is where it was.
    </p>
  );
}
