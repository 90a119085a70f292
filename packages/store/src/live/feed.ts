/**
 * Who follows which run, and what is known of it without asking the database: how far it is, and the
 * last batch. A follower that has read everything is handed the batch itself; one that lags reads the
 * table at its own pace. Of the runs that this node wrote last, whoever follows them, the last events are kept: a
 * follower that comes a moment later does not ask for what was just written.
 */
import type { Logger } from "@callboard/agent-sdk";
import { createChangeSignal, createTail } from "@callboard/agent-sdk/sessions";
import type { RunEvent, RunId } from "@callboard/run-log";
import type { NotificationSource } from "./notificationSource.js";
import { createRecentEvents } from "./recentEvents.js";

export interface FeedSource {
  /** Absent where PostgreSQL's notifications are the only news, or there are no other nodes. */
  readonly news?: FeedNews | undefined;
  readPage(runId: RunId, after: number): Promise<readonly RunEvent[]>;
  /** Where the run ends for now, and whether for good; undefined for one that has not begun. */
  readHead(
    runId: RunId,
  ): Promise<{ readonly lastSeq: number; readonly isClosed: boolean } | undefined>;
}

export interface FeedNews {
  readonly source: NotificationSource;
  /** Whether this node writes the run: its news come from within. */
  readonly isOwn: (runId: RunId) => boolean;
  readonly logger: Logger;
}

export interface Feed {
  /** How many tails wait for news: 0 when every reader has left. */
  readonly waiting: number;
  /** The runs that somebody follows. */
  followed(): readonly RunId[];
  /** This node stored these events. */
  tell(runId: RunId, events: readonly RunEvent[]): void;
  /** This node does not write the run any more: another one does, or will. */
  disowned(runId: RunId): void;
  /** Another node says, or the table shows, that the run is this far. */
  hint(runId: RunId, lastSeq: number): void;
  /** Nothing is known any more: everyone looks for himself. */
  hintAll(): void;
  tail(runId: RunId, after: number): AsyncIterable<RunEvent>;
  /** Ends every tail. */
  close(): void;
}

interface Followed {
  followers: number;
  /** Undefined until somebody told, or the table was asked. */
  lastSeq: number | undefined;
  isClosed: boolean;
  latest: readonly RunEvent[];
  /** Reads under way by their position: followers that are at the same place share one. */
  readonly reads: Map<number, Promise<readonly RunEvent[]>>;
  /** Settles when the source of news tells of it; gives how to leave. Absent while this node writes it. */
  heard: Promise<(() => Promise<void>) | undefined> | undefined;
}

export function createFeed({ news, readPage, readHead }: FeedSource): Feed {
  const board = createChangeSignal();
  const runs = new Map<RunId, Followed>();
  const recent = createRecentEvents();
  let isOver = false;

  function follow(runId: RunId): Followed {
    const run = runs.get(runId) ?? newRun(recent.of(runId));
    run.followers += 1;
    runs.set(runId, run);
    if (!news?.isOwn(runId)) hear(runId, run);
    return run;
  }

  function hear(runId: RunId, run: Followed): void {
    if (!news || run.heard !== undefined) return;
    const { source, logger } = news;
    run.heard = source
      .follow(runId, (lastSeq) => hint(runId, lastSeq))
      .catch((error: unknown) => {
        logger.debug("Subscribing to a run failed; polling the table instead.", {
          runId,
          error,
        });
        return undefined;
      });
  }

  function leave(runId: RunId, run: Followed): void {
    run.followers -= 1;
    if (run.followers > 0) return;
    runs.delete(runId);
    run.heard
      ?.then((stop) => stop?.())
      .catch((error) => news?.logger.debug("Unsubscribing from a run failed.", { runId, error }));
  }

  function hint(runId: RunId, lastSeq: number): void {
    const run = runs.get(runId);
    if (!run || lastSeq <= (run.lastSeq ?? 0)) return;
    run.lastSeq = lastSeq;
    board.tell(runId);
  }

  /** What the source of news has a copy of; empty where it cannot be asked. */
  async function copiedAfter(runId: RunId, run: Followed, seq: number) {
    if (!news || run.heard === undefined) return [];
    try {
      // Heard before it is read: what comes in between is told.
      await run.heard;
      return await news.source.read(runId, seq);
    } catch (error) {
      news.logger.debug("Reading the copied events of a run failed; reading the table instead.", {
        runId,
        error,
      });
      return [];
    }
  }

  async function pageAfter(runId: RunId, run: Followed, seq: number): Promise<readonly RunEvent[]> {
    if (run.lastSeq !== undefined && run.lastSeq <= seq) return [];
    const known = latestAfter(run, seq);
    if (known.length > 0) return known;
    const reading = run.reads.get(seq) ?? storedAfter(runId, run, seq);
    run.reads.set(seq, reading);
    try {
      return await reading;
    } finally {
      run.reads.delete(seq);
    }
  }

  async function storedAfter(
    runId: RunId,
    run: Followed,
    seq: number,
  ): Promise<readonly RunEvent[]> {
    const copied = await copiedAfter(runId, run, seq);
    if (copied.length > 0) return copied;
    const page = await readPage(runId, seq);
    if (page.length > 0) return page;
    const head = await readHead(runId);
    if (head) {
      // Also backwards: a hint that nothing stands behind must not keep the followers reading.
      run.lastSeq = head.lastSeq;
      run.isClosed ||= head.isClosed;
    } else if (run.lastSeq !== undefined && run.lastSeq > seq) {
      // It was there and is gone: somebody removed the conversation.
      run.lastSeq = seq;
      run.isClosed = true;
    }
    return [];
  }

  function iterator(runId: RunId, after: number): AsyncIterator<RunEvent> {
    const run = follow(runId);
    let hasLeft = false;
    const leaveOnce = (): void => {
      if (!hasLeft) leave(runId, run);
      hasLeft = true;
    };
    const source = {
      pageAfter: (seq: number) => pageAfter(runId, run, seq),
      lastSeq: () => run.lastSeq ?? 0,
      isOver: () => isOver || run.isClosed,
      onChange: (wake: () => void) => board.onChange(runId, wake),
    };
    const inner = createTail(source, after)[Symbol.asyncIterator]();
    return {
      async next() {
        const result = await inner.next();
        if (result.done) leaveOnce();
        return result;
      },
      async return() {
        leaveOnce();
        return (await inner.return?.()) ?? { done: true, value: undefined };
      },
    };
  }

  return {
    get waiting() {
      return board.waiting;
    },
    followed: () => [...runs.keys()],
    tell(runId, events) {
      news?.source.stored(runId, events);
      recent.add(runId, events);
      const run = runs.get(runId);
      const last = events.at(-1);
      if (!run || !last) return;
      const kept = recent.of(runId);
      run.latest = kept.length > 0 ? kept : events;
      run.lastSeq = last.seq;
      run.isClosed = last.type === "run.closed";
      board.tell(runId);
    },
    disowned(runId) {
      recent.drop(runId);
      const run = runs.get(runId);
      if (run) hear(runId, run);
    },
    hint,
    hintAll() {
      for (const run of runs.values()) run.lastSeq = undefined;
      board.tellAll();
    },
    tail: (runId, after) => ({ [Symbol.asyncIterator]: () => iterator(runId, after) }),
    close() {
      isOver = true;
      board.tellAll();
    },
  };
}

function newRun(latest: readonly RunEvent[]): Followed {
  const last = latest.at(-1);
  return {
    followers: 0,
    lastSeq: last?.seq,
    isClosed: last?.type === "run.closed",
    latest,
    reads: new Map(),
    heard: undefined,
  };
}

/** What of the last batch follows a position, where the batch reaches back that far. */
function latestAfter({ latest }: Followed, seq: number): readonly RunEvent[] {
  const first = latest[0]?.seq ?? Number.POSITIVE_INFINITY;
  return first <= seq + 1 ? latest.slice(seq + 1 - first) : [];
}
