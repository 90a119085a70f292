/** A store whose process is gone as soon as it is to keep such an event. */
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
        append: (runId, expectedSeq, events) =>
          events.some(isFatal)
            ? Promise.reject(new Error("the process is gone"))
            : log.append(runId, expectedSeq, events),
      };
    },
  };
}
