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

/** How many sessions that rest are kept open for their next prompt. */
const keptOpen = 16;

interface Recorded {
  turn: TurnRecorder | undefined;
  seq: number;
  writing: Promise<void>;
  readonly log: Promise<SessionLog | undefined>;
}

export function createSessionRecorder(options: SessionRecorderOptions): SessionRecorder {
  const { store, clock, logger } = options;
  const sessions = new Map<string, Recorded>();
  const questions = new Map<string, string>();
  /** Sessions that are being closed: they are opened again only then. */
  const releasing = new Map<string, Promise<void>>();
  let agentName = "acp";
  let turns = 0;

  function recordedOf(sessionId: string): Recorded {
    const known = sessions.get(sessionId);
    const recorded = known ?? {
      ...{ turn: undefined, seq: 0, writing: Promise.resolve(), log: opened(sessionId) },
    };
    // The one that is used stands last.
    sessions.delete(sessionId);
    sessions.set(sessionId, recorded);
    return recorded;
  }

  async function opened(sessionId: string): Promise<SessionLog | undefined> {
    try {
      await releasing.get(sessionId);
      return await store.open(sessionId);
    } catch (error) {
      logger.warn("this session is not recorded", { sessionId, error });
      return undefined;
    }
  }

  function release(sessionId: string): void {
    const recorded = sessions.get(sessionId);
    if (!recorded) return;
    endTurn(sessionId, "cancelled");
    sessions.delete(sessionId);
    const released = closed(recorded)
      .catch((error: unknown) => logger.warn("a record was not closed", { sessionId, error }))
      .finally(() => {
        if (releasing.get(sessionId) === released) releasing.delete(sessionId);
      });
    releasing.set(sessionId, released);
  }

  async function closed(recorded: Recorded): Promise<void> {
    await recorded.writing;
    await (await recorded.log)?.close();
  }

  function releaseOldest(): void {
    const resting = [...sessions].filter(([, { turn }]) => turn === undefined);
    for (const [sessionId] of resting.slice(0, Math.max(0, resting.length - keptOpen))) {
      release(sessionId);
    }
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
      const runId = `${sessionId}-${clock.now()}-${turns}`;
      turns += 1;
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
    turnEnded(sessionId, stopReason) {
      endTurn(sessionId, stopReason);
      releaseOldest();
    },
    sessionEnded: release,
    async close() {
      for (const sessionId of [...sessions.keys()]) release(sessionId);
      await Promise.all(releasing.values());
    },
  };
}
