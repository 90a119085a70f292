/**
 * Sessions of other agents, kept where our own are. It writes what an intake gives, in order, and writes nothing
 * twice: a run that was kept whole before is passed over, so taking the same stream in again adds nothing.
 */
import { conversationId, type RunEvent, type RunId, runId as runIdOf } from "@callboard/run-log";
import type { Taken } from "@callboard/run-log/intake";
import type { SessionLog, SessionStore } from "../types/sessions.js";

export interface ForeignSessionsOptions {
  readonly sessions: SessionStore;
  /** For a store with ids of its own form: the id that replaces a foreign one, always the same. */
  readonly idOf?: (id: string) => string;
  /**
   * Whether the source is read again from its start after a crash, and then gives the same events. Earlier events stay
   * open for the rest. Without it, a run that an ended process left open is closed as interrupted.
   */
  readonly isCopy?: boolean;
  /** Told of events that a run has no place for, because it was closed before its source ended. They are not kept. */
  readonly onLate?: (late: {
    readonly sessionId: string;
    readonly runId: string;
    readonly events: number;
  }) => void;
}

export interface ForeignSessions {
  take(taken: Taken): Promise<void>;
  /** Releases one session, so that others can continue it. It is opened again when more of it comes. */
  release(sessionId: string): Promise<void>;
  /** Gives the sessions free. */
  close(): Promise<void>;
}

interface Written {
  readonly seq: number;
  readonly isClosed: boolean;
}

interface OpenSession {
  readonly log: SessionLog;
  /** The runs that were there when it was opened. */
  readonly before: ReadonlySet<string>;
  /** The written position of each run with new events, and whether it was closed before. */
  readonly runs: Map<string, Written>;
}

export function createForeignSessions({
  sessions,
  idOf = (id) => id,
  isCopy = false,
  onLate,
}: ForeignSessionsOptions): ForeignSessions {
  const open = new Map<string, OpenSession>();

  async function opened(sessionId: string): Promise<OpenSession> {
    const known = open.get(sessionId);
    if (known) return known;
    const log = await sessions.open(idOf(sessionId), { isCopy });
    const session = { log, before: new Set<string>(await log.runIds()), runs: new Map() };
    open.set(sessionId, session);
    return session;
  }

  async function writtenOf({ log, before }: OpenSession, runId: RunId): Promise<Written> {
    if (!before.has(runId)) return { seq: 0, isClosed: false };
    const last = (await log.read(runId, { after: 0 })).at(-1);
    return { seq: last?.seq ?? 0, isClosed: last?.type === "run.closed" };
  }

  async function keep(session: OpenSession, runId: RunId, events: readonly RunEvent[]) {
    const known = session.runs.get(runId) ?? (await writtenOf(session, runId));
    session.runs.set(runId, known);
    const news = events.filter(({ seq }) => seq > known.seq);
    const [first] = news;
    const last = news.at(-1);
    if (!first || !last) return;
    if (known.isClosed) {
      onLate?.({ sessionId: session.log.sessionId, runId, events: news.length });
      return;
    }
    const answer = await session.log.append(runId, first.seq - 1, news);
    if (answer.status === "conflict") {
      throw new Error(`Another process writes run ${runId}: its log is at position ${answer.seq}.`);
    }
    session.runs.set(runId, { seq: last.seq, isClosed: false });
  }

  return {
    async take(taken) {
      for (const { sessionId, events } of taken.sessions) {
        const session = await opened(sessionId);
        for (const batch of batchesOf(events)) {
          const [first] = batch;
          if (!first) continue;
          const runId = runIdOf(idOf(first.runId));
          await keep(
            session,
            runId,
            batch.map((event) => renamed(event, runId, idOf)),
          );
        }
      }
    },
    async release(sessionId) {
      const session = open.get(sessionId);
      open.delete(sessionId);
      await session?.log.close();
    },
    async close() {
      const all = [...open.values()];
      open.clear();
      for (const { log } of all) await log.close();
    },
  };
}

/** Neighbours of one run together. */
function batchesOf(events: readonly RunEvent[]): readonly (readonly RunEvent[])[] {
  const batches: RunEvent[][] = [];
  for (const event of events) {
    const last = batches.at(-1);
    if (last?.[0]?.runId === event.runId) last.push(event);
    else batches.push([event]);
  }
  return batches;
}

function renamed(event: RunEvent, runId: RunId, idOf: (id: string) => string): RunEvent {
  if (event.type !== "run.started") return { ...event, runId };
  const { parent } = event;
  return {
    ...event,
    runId,
    conversationId: conversationId(idOf(event.conversationId)),
    ...(parent === undefined ? {} : { parent: { ...parent, runId: runIdOf(idOf(parent.runId)) } }),
  };
}
