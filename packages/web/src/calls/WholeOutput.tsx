/** The whole output if only head and tail are shown: a link with its size, if there is a server. */
import { useBoardIfAny } from "@callboard/client/react";
import type { CallTrack } from "@callboard/run-log/projections";
import { useEffect, useState } from "react";
import { bytesText } from "../values/excerpt.js";

type Kept = Pick<CallTrack, "runId" | "callId" | "persistKey" | "closedAt">;

export function WholeOutput({
  track: { runId, callId, persistKey, closedAt },
}: {
  readonly track: Kept;
}) {
  const client = useBoardIfAny()?.client;
  const isAsked = persistKey !== undefined && closedAt !== undefined;
  const [size, setSize] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (!client || !isAsked) return;
    const leaving = new AbortController();
    client.outputSize(runId, callId, { signal: leaving.signal }).then(setSize, () => {
      // It is no longer on this server, or the page was left: the sentence without a link stays.
      setSize(undefined);
    });
    return () => leaving.abort();
  }, [client, isAsked, runId, callId]);
  if (persistKey === undefined) return null;
  return (
    <p className="text-quiet text-xs">
      Head and tail.{" "}
      {client && size !== undefined ? (
        <a
          className="underline"
          href={client.outputUrl(runId, callId)}
          target="_blank"
          rel="noreferrer"
        >
          Open the whole output ({bytesText(size)})
        </a>
      ) : (
        <>
          The whole output is kept under <code>{persistKey}</code>.
        </>
      )}
    </p>
  );
}
