/** One open session in the database: the logs of a conversation's runs, written by this node alone. */
import type { SessionLog } from "@callboard/agent-sdk";
import { createChangeSignal, createTail, SessionClosedError } from "@callboard/agent-sdk/sessions";
import type { RunEvent, RunId } from "@callboard/run-log";
import type { StoreDb } from "../connections/database.js";
import { readEvents } from "../reading/runEvents.js";
import { readSession } from "../reading/sessionEvents.js";
import type { ConversationView } from "../writing/conversationView.js";
import type { RunLogs } from "../writing/runLogs.js";

export interface KnownRun {
  readonly lastSeq: number;
  readonly isClosed: boolean;
}

export interface SessionLogOptions {
  readonly sessionId: string;
  readonly userId: string;
  /** Whether the runs that begin here are to be gone on with should this node die. */
  readonly isResumable: boolean;
  /** Whether somebody outside is told when the runs that begin here wait for a person or have ended. */
  readonly isTold: boolean;
  /** Whether the runs that begin here come from another program, which is read again should this node die. */
  readonly isCopy: boolean;
  /** The runs that are there already, in the order of their starts. */
  readonly known: ReadonlyMap<RunId, KnownRun>;
  /** Where the next message of the conversation goes, as long as no other run begins. */
  readonly nextPosition: number;
  readonly db: StoreDb;
  readonly logs: RunLogs;
  /** Gives the session and what is open in it free. */
  readonly release: () => Promise<void>;
}

export interface StoreSessionLog extends SessionLog {
  /** How many tails wait for news: 0 when every reader has left. */
  readonly waitingTails: number;
}

const pageEvents = 256;

export function createSessionLog(options: SessionLogOptions): StoreSessionLog {
  const { sessionId, userId, isResumable, isTold, isCopy, db, logs } = options;
  const runs = new Map(options.known);
  const news = createChangeSignal();
  const writing = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new SessionClosedError(sessionId);
  }

  const seqOf = (runId: RunId): number => runs.get(runId)?.lastSeq ?? 0;

  async function append(runId: RunId, expectedSeq: number, events: readonly RunEvent[]) {
    const answer = await logs.append(runId, expectedSeq, events, () => ({
      conversationId: sessionId,
      userId,
      isResumable,
      isTold,
      isCopy,
      knownRuns: () => runs.size,
      view: () => viewBefore(runId),
      onBegun: () => runs.set(runId, { lastSeq: 0, isClosed: false }),
    }));
    const last = events.at(-1);
    if (answer.status === "appended" && last) {
      runs.set(runId, { lastSeq: answer.seq, isClosed: last.type === "run.closed" });
      news.tell(runId);
    }
    return answer;
  }

  /** What was found when the session was opened holds for the first run that begins in it. */
  function viewBefore(runId: RunId): ConversationView | undefined {
    if (runs.size !== options.known.size || runs.has(runId)) return undefined;
    return { runs: runs.size, nextPosition: options.nextPosition, busyOwner: null };
  }

  async function close(): Promise<void> {
    await Promise.allSettled(writing);
    news.tellAll();
    await options.release();
  }

  return {
    sessionId,
    get waitingTails() {
      return news.waiting;
    },
    runIds: async () => [...runs.keys()],
    history() {
      assertOpen();
      return readSession(db, runs);
    },
    async append(runId, expectedSeq, events) {
      assertOpen();
      const written = append(runId, expectedSeq, events);
      writing.add(written);
      try {
        return await written;
      } finally {
        writing.delete(written);
      }
    },
    async read(runId, range) {
      assertOpen();
      return runs.has(runId) ? await readEvents(db, runId, range) : [];
    },
    tail: (runId, { after }) =>
      createTail(
        {
          async pageAfter(seq) {
            if (seqOf(runId) <= seq) return [];
            assertOpen();
            return await readEvents(db, runId, { after: seq, limit: pageEvents });
          },
          lastSeq: () => seqOf(runId),
          isOver: () => closing !== undefined || runs.get(runId)?.isClosed === true,
          onChange: (wake) => news.onChange(runId, wake),
        },
        after,
      ),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
