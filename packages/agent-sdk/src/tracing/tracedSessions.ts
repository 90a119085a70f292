/**
 * A session store that exports the spans of the runs that are written to it. The spans of a session are sent before it is
 * closed.
 */
import type { SessionLog, SessionStore } from "../types/sessions.js";
import { createSpanExport, type SpanExport, type SpanExportOptions } from "./spanExport.js";

export function withSpanExport(store: SessionStore, options: SpanExportOptions): SessionStore {
  return {
    open: async (...given) => tracedLog(await store.open(...given), createSpanExport(options)),
    list: () => store.list(),
    remove: (sessionId) => store.remove(sessionId),
  };
}

function tracedLog(log: SessionLog, spans: SpanExport): SessionLog {
  return {
    sessionId: log.sessionId,
    runIds: () => log.runIds(),
    history: () => log.history(),
    read: (runId, range) => log.read(runId, range),
    tail: (runId, range) => log.tail(runId, range),
    onRequest: (answer) => log.onRequest?.(answer),
    async append(runId, expectedSeq, events) {
      const answer = await log.append(runId, expectedSeq, events);
      if (answer.status === "appended") spans.observe(events);
      return answer;
    },
    async close() {
      await log.close();
      await spans.close();
    },
  };
}
