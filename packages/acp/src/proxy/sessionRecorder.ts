/**
 * Keeps what passes through the proxy as run logs, one run for each prompt, so that a session of any
 * agent can be replayed, exported, checked and shown like one of ours. Recording never holds traffic
 * up: what cannot be stored is said once, and the session goes on without a record.
 */
import type { Clock, Logger, SessionLog, SessionStore } from "@callboard/agent-sdk";
import { type RunEvent, runId as runIdOf } from "@callboard/run-log";
import type { ProxyWitness } from "./proxyCore.js";
import { createTurnRecorder, type TurnRecorder } from "./turnRecorder.js";

export interface SessionRecorder extends ProxyWitness {
  /** Waits until everything is stored, and releases the sessions. */
  close(): Promise<void>;
}

export interface SessionRecorderOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Recorded {
  turn: TurnRecorder | undefined;
  turns: number;
  seq: number;
  writing: Promise<void>;
  readonly log: Promise<SessionLog | undefined>;
}

export function createSessionRecorder(options: SessionRecorderOptions): SessionRecorder {
  const { store, clock, logger } = options;
  const sessions = new Map<string, Recorded>();
  const questions = new Map<string, string>();
  let agentName = "acp";

  function recordedOf(sessionId: string): Recorded {
    const known = sessions.get(sessionId);
    if (known) return known;
    const log = store.open(sessionId).catch((error: unknown) => {
      logger.warn("this session is not recorded", { sessionId, error });
      return undefined;
    });
    const recorded = { turn: undefined, turns: 0, seq: 0, writing: Promise.resolve(), log };
    sessions.set(sessionId, recorded);
    return recorded;
  }

  function append(recorded: Recorded, runId: string, events: readonly RunEvent[]): void {
    if (events.length === 0) return;
    recorded.writing = recorded.writing.then(async () => {
      const log = await recorded.log;
      if (!log) return;
      const appended = await log.append(runIdOf(runId), recorded.seq, events);
      if (appended.status === "appended") recorded.seq = appended.seq;
      else logger.warn("a recorded session is written by someone else", { runId });
    });
    recorded.writing = recorded.writing.catch((error: unknown) =>
      logger.warn("a part of a session is not recorded", { runId, error }),
    );
  }

  function turnOf(sessionId: string): TurnRecorder | undefined {
    return sessions.get(sessionId)?.turn;
  }

  function endTurn(sessionId: string, stopReason: string): void {
    const recorded = sessions.get(sessionId);
    recorded?.turn?.end(stopReason);
    if (recorded) recorded.turn = undefined;
  }

  return {
    initialized({ agentInfo, info }) {
      const named = agentInfo ?? info;
      const isNamed = typeof named === "object" && named !== null && "name" in named;
      if (isNamed) agentName = String(named.name);
    },
    prompted(sessionId, prompt) {
      endTurn(sessionId, "cancelled");
      const recorded = recordedOf(sessionId);
      const runId = `${sessionId}-${clock.now()}-${recorded.turns}`;
      recorded.turns += 1;
      // A new run begins at its own first position.
      recorded.writing = recorded.writing.then(() => {
        recorded.seq = 0;
      });
      recorded.turn = createTurnRecorder({
        ...{ runId, sessionId, agentName, now: clock.now, logger },
        append: (events) => append(recorded, runId, events),
      });
      recorded.turn.userMessage(prompt);
    },
    updated: (sessionId, update) => turnOf(sessionId)?.update(update),
    asked(sessionId, requestId, params) {
      questions.set(JSON.stringify(requestId), sessionId);
      turnOf(sessionId)?.ask(JSON.stringify(requestId), params);
    },
    answered(requestId, outcome) {
      const key = JSON.stringify(requestId);
      const sessionId = questions.get(key);
      questions.delete(key);
      if (sessionId !== undefined) turnOf(sessionId)?.answer(key, outcome);
    },
    turnEnded: endTurn,
    async close() {
      for (const [sessionId, recorded] of sessions) {
        endTurn(sessionId, "cancelled");
        await recorded.writing;
        await (await recorded.log)?.close();
      }
    },
  };
}
