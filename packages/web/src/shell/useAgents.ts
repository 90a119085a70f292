/** The agents that can be asked; none while they are not known. */
import type { AgentEntry } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { useEffect, useState } from "react";
import { messageOf } from "./messageOf.js";

export interface Agents {
  readonly agents: readonly AgentEntry[];
  readonly problem: string | undefined;
}

export function useAgents(): Agents {
  const { client } = useBoard();
  const [known, setKnown] = useState<Agents>({ agents: [], problem: undefined });
  useEffect(() => {
    const stop = new AbortController();
    client.agents({ signal: stop.signal }).then(
      (agents) => setKnown({ agents, problem: undefined }),
      (error: unknown) => {
        if (!stop.signal.aborted) setKnown({ agents: [], problem: messageOf(error) });
      },
    );
    return () => stop.abort();
  }, [client]);
  return known;
}
