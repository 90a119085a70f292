/**
 * Records what passes through the proxy as run logs, so that a session of any agent can be replayed, exported, checked
 * and shown like one of ours: the messages go through the intake of the protocol. Recording never delays traffic: a
 * failure to store is logged once, and the session continues without a record.
 */
import type { Clock, Logger, SessionStore } from "@callboard/agent-sdk";
import { createForeignSessions } from "@callboard/agent-sdk/sessions";
import type { JsonObject } from "@callboard/run-log";
import { hear, newConnection } from "@callboard/run-log/acp";
import { createIntake, sessionNameOf, type Taken } from "@callboard/run-log/intake";
import type { ProxyWitness } from "./proxyTypes.js";

export interface SessionRecorder extends ProxyWitness {
  /** Waits until everything is stored, and releases the sessions. */
  close(): Promise<void>;
}

export interface SessionRecorderOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How many sessions are kept open for their next prompt. */
const keptOpen = 16;

export function createSessionRecorder(options: SessionRecorderOptions): SessionRecorder {
  const { store, clock, logger } = options;
  const intake = createIntake({
    ...{ dialect: "acp", sessionId: "acp", clock: clock.now },
    // A loaded session continues with runs of its own.
    runMark: `${clock.now().toString(36)}-`,
  });
  const kept = createForeignSessions({ sessions: store });
  /** Sessions that are open, the one that was written last at the end. */
  const open = new Set<string>();
  const unrecorded = new Set<string>();
  let connection = newConnection;
  let writing = Promise.resolve();

  function enqueue(sessionId: string, work: () => Promise<void>): void {
    writing = writing.then(work).catch((error: unknown) => {
      if (unrecorded.has(sessionId)) return;
      unrecorded.add(sessionId);
      logger.warn("The rest of this session is not recorded.", { sessionId, error });
    });
  }

  function keep({ sessions, findings }: Taken): void {
    for (const finding of findings) logger.debug("Not recorded.", { ...finding });
    for (const taken of sessions) {
      const { sessionId } = taken;
      if (unrecorded.has(sessionId)) continue;
      enqueue(sessionId, async () => {
        open.delete(sessionId);
        open.add(sessionId);
        if (!unrecorded.has(sessionId)) await kept.take({ sessions: [taken], findings: [] });
        const [oldest] = open;
        if (open.size > keptOpen && oldest !== undefined) await release(oldest);
      });
    }
  }

  async function release(sessionId: string): Promise<void> {
    open.delete(sessionId);
    await kept.release(sessionId);
  }

  /** Updates during the load of a session were recorded when they happened. */
  function isRetold(message: JsonObject, session: string | undefined): boolean {
    if (message.method !== "session/update" || session === undefined) return false;
    return [...connection.waiting.client.values()].some(
      (asked) => asked.session === session && /^session\/(?:load|resume)$/.test(asked.method),
    );
  }

  return {
    passed(message, side) {
      const heard = hear(connection, message, side);
      connection = heard.connection;
      const session = heard.message.type === "request" ? heard.message.request.session : undefined;
      if (!isRetold(message, session)) keep(intake.admit(message));
    },
    sessionEnded(session) {
      const update = { sessionUpdate: "state_update", state: "idle", stopReason: "cancelled" };
      const params = { sessionId: session, update };
      keep(intake.admit({ jsonrpc: "2.0", method: "session/update", params }));
      const sessionId = sessionNameOf(session);
      enqueue(sessionId, () => release(sessionId));
    },
    async close() {
      keep(intake.end());
      enqueue("", () => kept.close());
      await writing;
    },
  };
}
