/**
 * Sessions of other agents, kept where our own are. It writes what an intake gives, in order, and writes nothing
 * twice: a run that was kept whole before is passed over, so taking the same stream in again adds nothing.
 */
import { conversationId, type RunEvent, type RunId, runId as runIdOf } from "@callboard/run-log";
import type { Taken } from "@callboard/run-log/intake";
import type { SessionLog, SessionStore } from "../types/sessions.js";

export interface ForeignSessionsOptions {
  readonly sessions: SessionStore;
  /** For a store that takes ids of its own form: the id that stands for another one, always the same. */
  readonly idOf?: (id: string) => string;
}

export interface ForeignSessions {
  take(taken: Taken): Promise<void>;
  /** Gives one session free, for others to go on with. It is opened again when more of it comes. */
  release(sessionId: string): Promise<void>;
  /** Gives the sessions free. */
  close(): Promise<void>;
}

interface OpenSession {
  readonly log: SessionLog;
  /** How far each run is written; a run that was closed before is `closed`. */
  readonly runs: Map<string, number | "closed">;
}

export function createForeignSessions({
  sessions,
  idOf = (id) => id,
}: ForeignSessionsOptions): ForeignSessions {
  const open = new Map<string, OpenSession>();

  async function opened(sessionId: string): Promise<OpenSession> {
    const known = open.get(sessionId);
    if (known) return known;
    const log = await sessions.open(idOf(sessionId));
    const session: OpenSession = { log, runs: new Map() };
    open.set(sessionId, session);
    for (const id of await log.runIds()) {
      const events = await log.read(id, { after: 0 });
      const last = events.at(-1);
      session.runs.set(id, last?.type === "run.closed" ? "closed" : (last?.seq ?? 0));
    }
    return session;
  }

  async function keep(session: OpenSession, runId: RunId, events: readonly RunEvent[]) {
    const known = session.runs.get(runId) ?? 0;
    if (known === "closed") return;
    const news = events.filter(({ seq }) => seq > known);
    const [first] = news;
    const last = news.at(-1);
    if (!first || !last) return;
    const answer = await session.log.append(runId, first.seq - 1, news);
    if (answer.status === "conflict") {
      throw new Error(`run ${runId} is written by somebody else: it is at ${answer.seq}`);
    }
    session.runs.set(runId, last.seq);
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
