/**
 * Sessions in memory, for tests and for agents that keep nothing. They obey the same rules as those on
 * disk: one holder at a time, hostile ids refused, and what was left open is closed on the next opening.
 */
import {
  createMemoryLogStore,
  createRecorder,
  type MemoryLogStore,
  type RunEvent,
  type RunId,
} from "@callboard/run-log";
import { isDelta } from "@callboard/run-log/writing";
import { systemClock } from "../system/systemClock.js";
import type { Clock } from "../types/clock.js";
import type { OpenSessionOptions, SessionLog, SessionStore } from "../types/sessions.js";
import { interruptionOf } from "./interruption.js";
import { createLockHolder, type LockHolder } from "./lockHolder.js";
import { createChangeSignal, createTail } from "./logTail.js";
import { SessionClosedError, SessionLockedError } from "./sessionErrors.js";
import { assertSessionId } from "./sessionId.js";
import { sessionTitleOf } from "./sessionTitle.js";

interface KeptSession {
  readonly logs: MemoryLogStore;
  /** The last event of each run, in the order of their starts. */
  readonly ends: Map<RunId, RunEvent>;
  readonly createdAt: number;
  holder: LockHolder | undefined;
}

export interface MemorySessionLog extends SessionLog {
  /** How many tails wait for events: 0 when every reader has left. */
  readonly waitingTails: number;
}

/** A session store in memory. */
export interface MemorySessionStore extends SessionStore {
  open(sessionId: string, options?: OpenSessionOptions): Promise<MemorySessionLog>;
}

const pageEvents = 256;

/** Creates a session store that keeps everything in memory. */
export function createMemorySessionStore({
  clock = systemClock,
}: {
  readonly clock?: Clock;
} = {}): MemorySessionStore {
  const sessions = new Map<string, KeptSession>();

  function sessionOf(sessionId: string): KeptSession {
    const known = sessions.get(sessionId);
    if (known) return known;
    const logs = createMemoryLogStore();
    const session = { logs, ends: new Map(), createdAt: clock.now(), holder: undefined };
    sessions.set(sessionId, session);
    return session;
  }

  return {
    async open(sessionId, options) {
      assertSessionId(sessionId);
      const session = sessionOf(sessionId);
      if (session.holder) throw new SessionLockedError(sessionId, session.holder);
      session.holder = createLockHolder(clock.now());
      const log = createMemorySessionLog(sessionId, session);
      for (const [runId, last] of [...session.ends].toReversed()) {
        const past = await session.logs.read(runId, { after: 0 });
        const { state } = createRecorder(() => last.at, past);
        const closings = interruptionOf(state, last.at, options);
        await log.append(runId, past.length, closings);
      }
      return log;
    },

    async list() {
      const found = [];
      for (const [sessionId, { logs, ends, createdAt }] of sessions) {
        const [first] = ends.keys();
        const title =
          first === undefined ? "" : sessionTitleOf(await logs.read(first, { after: 0 }));
        const updatedAt = [...ends.values()].reduce((at, end) => Math.max(at, end.at), createdAt);
        found.push({ sessionId, createdAt, updatedAt, title, runs: ends.size });
      }
      return found.sort((one, other) => other.updatedAt - one.updatedAt);
    },

    async remove(sessionId) {
      assertSessionId(sessionId);
      const holder = sessions.get(sessionId)?.holder;
      if (holder) throw new SessionLockedError(sessionId, holder);
      sessions.delete(sessionId);
    },
  };
}

function createMemorySessionLog(sessionId: string, session: KeptSession): MemorySessionLog {
  const { logs, ends } = session;
  const news = createChangeSignal();
  let isClosed = false;

  function assertOpen(): void {
    if (isClosed) throw new SessionClosedError(sessionId);
  }

  const seqOf = (runId: RunId): number => ends.get(runId)?.seq ?? 0;

  return {
    sessionId,
    get waitingTails() {
      return news.waiting;
    },
    runIds: async () => [...ends.keys()],
    async append(runId, expectedSeq, events) {
      assertOpen();
      const answer = await logs.append(runId, expectedSeq, events);
      const last = events.at(-1);
      if (answer.status === "appended" && last) {
        ends.set(runId, last);
        news.tell(runId);
      }
      return answer;
    },
    async read(runId, range) {
      assertOpen();
      return logs.read(runId, range);
    },
    async *history() {
      for (const [runId, last] of [...ends]) {
        assertOpen();
        const events = await logs.read(runId, { after: 0 });
        yield last.type === "run.closed" ? events.filter((event) => !isDelta(event)) : events;
      }
    },
    tail: (runId, { after }) =>
      createTail(
        {
          async pageAfter(seq) {
            if (seqOf(runId) > seq) assertOpen();
            return logs.read(runId, { after: seq, limit: pageEvents });
          },
          lastSeq: () => seqOf(runId),
          isOver: () => isClosed || ends.get(runId)?.type === "run.closed",
          onChange: (wake) => news.onChange(runId, wake),
        },
        after,
      ),
    async close() {
      if (isClosed) return;
      isClosed = true;
      session.holder = undefined;
      news.tellAll();
    },
  };
}
