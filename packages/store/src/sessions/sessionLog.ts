/** One open session in the database: the logs of a conversation's runs, written by this node alone. */

import type { SessionLog } from "@callboard/agent-sdk";
import { createChangeSignal, createTail, SessionClosedError } from "@callboard/agent-sdk/sessions";
import type { RunEvent, RunId } from "@callboard/run-log";
import type { StoreDb } from "../connections/database.js";
import type { RunSetup } from "../conversations/setup.js";
import { readEvents } from "../reading/runEvents.js";
import { readSession } from "../reading/sessionEvents.js";
import type { ConversationState } from "../writing/conversationView.js";
import type { RunLogs } from "../writing/runLogs.js";

export interface KnownRun {
  readonly lastSeq: number;
  readonly isClosed: boolean;
}

export interface SessionLogOptions {
  readonly sessionId: string;
  readonly userId: string;
  /** Whether the runs that start here are resumed if this node stops. */
  readonly isResumable: boolean;
  /** Whether a webhook is sent when the runs that start here wait for a person or have ended. */
  readonly isTold: boolean;
  /** Whether the runs that start here come from another program, which is read again if this node stops. */
  readonly isCopy: boolean;
  /** The settings of the requests for the runs that start here, stored with their start. */
  readonly setup?: RunSetup | undefined;
  /** The runs that are there already, in the order of their starts. */
  readonly known: ReadonlyMap<RunId, KnownRun>;
  /** The position of the conversation's next message, as long as nothing is written. */
  readonly nextPosition: number;
  readonly db: StoreDb;
  readonly logs: RunLogs;
  /** Gives the session and what is open in it free. */
  readonly release: () => Promise<void>;
}

export interface StoreSessionLog extends SessionLog {
  /** How many tails wait for events: 0 when every reader has left. */
  readonly waitingTails: number;
}

const pageEvents = 256;

export function createSessionLog(options: SessionLogOptions): StoreSessionLog {
  const { sessionId, userId, isResumable, isTold, isCopy, setup, db, logs } = options;
  const runs = new Map(options.known);
  const news = createChangeSignal();
  let isUntouched = true;
  const writing = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  /** Applies to a run that starts before anything else is written: a run that was open adds messages to the conversation. */
  const viewAtOpening: ConversationState = {
    runs: runs.size,
    nextPosition: options.nextPosition,
    busyOwner: null,
  };

  function assertOpen(): void {
    if (closing !== undefined) throw new SessionClosedError(sessionId);
  }

  const seqOf = (runId: RunId): number => runs.get(runId)?.lastSeq ?? 0;

  async function append(runId: RunId, expectedSeq: number, events: readonly RunEvent[]) {
    const isFirst = isUntouched && !runs.has(runId);
    isUntouched = false;
    const answer = await logs.append(runId, expectedSeq, events, () => ({
      conversationId: sessionId,
      userId,
      isResumable,
      isTold,
      isCopy,
      setup,
      knownRuns: () => runs.size,
      view: () => (isFirst ? viewAtOpening : undefined),
      onBegun: () => runs.set(runId, { lastSeq: 0, isClosed: false }),
    }));
    const last = events.at(-1);
    if (answer.status === "appended" && last) {
      runs.set(runId, { lastSeq: answer.seq, isClosed: last.type === "run.closed" });
      news.tell(runId);
    }
    return answer;
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
