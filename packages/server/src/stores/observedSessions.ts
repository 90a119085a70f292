/** Sessions that report appended events, before and after they are stored. Otherwise unchanged. */
import type { SessionLog, SessionStore } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";

export interface SessionObserver {
  /** Called before anything is appended; throwing prevents it. */
  readonly beforeAppend?: () => void;
  /** Work that must be done before these events are stored; undefined if there is none. */
  readonly prepare?: (sessionId: string, events: readonly RunEvent[]) => Promise<void> | undefined;
  readonly onAppended?: (events: readonly RunEvent[]) => void;
}

export function observedSessions(sessions: SessionStore, observer: SessionObserver): SessionStore {
  return {
    open: async (sessionId, options) => observed(await sessions.open(sessionId, options), observer),
    list: () => sessions.list(),
    remove: (sessionId) => sessions.remove(sessionId),
  };
}

function observed(session: SessionLog, observer: SessionObserver): SessionLog {
  return {
    sessionId: session.sessionId,
    runIds: () => session.runIds(),
    history: () => session.history(),
    async append(runId, expectedSeq, events) {
      observer.beforeAppend?.();
      const preparing = observer.prepare?.(session.sessionId, events);
      if (preparing !== undefined) await preparing;
      const answer = await session.append(runId, expectedSeq, events);
      if (answer.status === "appended") observer.onAppended?.(events);
      return answer;
    },
    read: (runId, range) => session.read(runId, range),
    tail: (runId, range) => session.tail(runId, range),
    close: () => session.close(),
  };
}
