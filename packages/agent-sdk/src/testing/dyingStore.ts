/** A store whose process is gone as soon as it is to keep such an event: it keeps what was recorded before it. */
import type { RunEvent } from "@callboard/run-log";
import type { SessionStore } from "../types/sessions.js";

export function dyingStore(
  store: SessionStore,
  isFatal: (event: RunEvent) => boolean,
): SessionStore {
  return {
    ...store,
    async open(sessionId, opening) {
      const log = await store.open(sessionId, opening);
      return {
        ...log,
        async append(runId, expectedSeq, events) {
          const fatal = events.findIndex(isFatal);
          if (fatal === -1) return log.append(runId, expectedSeq, events);
          if (fatal > 0) await log.append(runId, expectedSeq, events.slice(0, fatal));
          throw new Error("the process is gone");
        },
      };
    },
  };
}
