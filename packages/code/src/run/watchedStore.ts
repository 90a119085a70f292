/**
 * A session store whose every stored event is told on, after it is stored and in order. A listener that
 * throws is logged, and storing goes on.
 */
import type { Logger, SessionLog, SessionStore } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";

/** `sessionId` is the session that the event was stored in. */
export type TellEvent = (event: RunEvent, sessionId: string) => void;

export function watchedStore(store: SessionStore, tell: TellEvent, logger: Logger): SessionStore {
  const tellSafely: TellEvent = (event, sessionId) => {
    try {
      tell(event, sessionId);
    } catch (error) {
      const { type, seq } = event;
      logger.error("an event could not be shown", { type, seq, error: String(error) });
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
    read: (runId, range) => log.read(runId, range),
    tail: (runId, range) => log.tail(runId, range),
    close: () => log.close(),
    async append(runId, expectedSeq, events) {
      const appended = await log.append(runId, expectedSeq, events);
      if (appended.status === "appended") for (const event of events) tell(event, sessionId);
      return appended;
    },
  };
}
