/** The agents of the server; empty until they are known. */
import type { AgentEntry } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";
import { type Refusal, refusalIn } from "./SessionNotice.js";

export interface Agents {
  readonly agents: readonly AgentEntry[];
  /** Why they are not known, where trying again may help. */
  readonly problem?: string;
  readonly refusal?: Refusal;
}

export function useAgents(): Agents {
  const { client } = useBoard();
  const [known, setKnown] = useState<Agents>({ agents: [] });
  useEffect(() => {
    const stop = new AbortController();
    client.agents({ signal: stop.signal }).then(
      (agents) => setKnown({ agents }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const refusal = refusalIn(error);
        setKnown({ agents: [], ...(refusal ? { refusal } : { problem: messageOfError(error) }) });
      },
    );
    return () => stop.abort();
  }, [client]);
  return known;
}
