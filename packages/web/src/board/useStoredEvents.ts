/**
 * The stored logs of runs, once they are needed; during a run, new events are read as well. A log that was read to its
 * end is not requested again; after a failure it is.
 */
import { type Client, isNotice } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import type { RunEvent } from "@callboard/run-log";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useRef, useState } from "react";

export interface StoredEvents {
  /** Run after run; undefined until all of them were read once. */
  readonly events: readonly RunEvent[] | undefined;
  readonly problem: string | undefined;
}

const everyMs = 1_000;

/** The client has tried several times by then. */
const afterFailureMs = 5_000;

export function useStoredEvents(
  runIds: readonly string[],
  isRunning: boolean,
  isWanted: boolean,
): StoredEvents {
  const { client } = useBoard();
  const logs = useRef(new Map<string, readonly RunEvent[]>());
  const [stored, setStored] = useState<StoredEvents>({ events: undefined, problem: undefined });
  useEffect(() => {
    if (!isWanted) return undefined;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      for (const runId of runIds) {
        const known = logs.current.get(runId) ?? [];
        if (known.at(-1)?.type === "run.closed") continue;
        const news = await newEvents(client, runId, known.at(-1)?.seq ?? 0, stop.signal);
        if (news.length > 0) logs.current.set(runId, [...known, ...news]);
      }
      const events = runIds.flatMap((runId) => logs.current.get(runId) ?? []);
      setStored((before) =>
        before.events?.length === events.length && before.problem === undefined
          ? before
          : { events, problem: undefined },
      );
    };
    async function attempt(): Promise<void> {
      let waitMs = isRunning ? everyMs : undefined;
      try {
        await read();
      } catch (error) {
        if (stop.signal.aborted) return;
        setStored((before) => ({ ...before, problem: messageOfError(error) }));
        waitMs = afterFailureMs;
      }
      if (waitMs !== undefined && !stop.signal.aborted)
        timer = setTimeout(() => void attempt(), waitMs);
    }
    void attempt();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [client, runIds, isRunning, isWanted]);
  return stored;
}

async function newEvents(
  client: Client,
  runId: string,
  after: number,
  signal: AbortSignal,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const item of client.log(runId, { after, follow: false, rate: "all", signal })) {
    if (!isNotice(item)) events.push(item);
  }
  return events;
}
