/**
 * A session store that emits every stored event, after it is stored and in order. Storing continues when the listener is
 * ready for more; one that throws is logged.
 */
import type { Logger, SessionLog, SessionStore } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";

/** `sessionId` is the session of the event. A listener that is busy returns a promise. */
export type TellEvent = (event: RunEvent, sessionId: string) => Promise<void> | undefined;

export function watchedStore(store: SessionStore, tell: TellEvent, logger: Logger): SessionStore {
  const tellSafely: TellEvent = (event, sessionId) => {
    try {
      return tell(event, sessionId);
    } catch (error) {
      const { type, seq } = event;
      logger.error("Showing an event failed.", { type, seq, error: String(error) });
      return undefined;
    }
  };
  return {
    open: async (...given) => watchedLog(await store.open(...given), tellSafely),
    list: () => store.list(),
    remove: (sessionId) => store.remove(sessionId),
  };
}

function watchedLog(log: SessionLog, tell: TellEvent): SessionLog {
  const { sessionId } = log;
  return {
    sessionId,
    runIds: () => log.runIds(),
    history: () => log.history(),
    read: (runId, range) => log.read(runId, range),
    tail: (runId, range) => log.tail(runId, range),
    onRequest: (answer) => log.onRequest?.(answer),
    close: () => log.close(),
    async append(runId, expectedSeq, events) {
      const appended = await log.append(runId, expectedSeq, events);
      if (appended.status !== "appended") return appended;
      for (const event of events) {
        const ready = tell(event, sessionId);
        if (ready !== undefined) await ready;
      }
      return appended;
    },
  };
}
