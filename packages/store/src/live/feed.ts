/**
 * The followers of runs, and what is known of each run without a query: its position, and the last batch. A follower
 * that has read everything gets the batch itself; one that lags reads the table at its own pace. The last events of the
 * runs that this node wrote last are kept: a follower that comes a moment later does not query what was just written.
 */
import type { Logger } from "@callboard/agent-sdk";
import { createChangeSignal, createTail } from "@callboard/agent-sdk/sessions";
import type { RunEvent, RunId } from "@callboard/run-log";
import type { NotificationSource } from "./notificationSource.js";
import { createRecentEvents } from "./recentEvents.js";

export interface FeedSource {
  /** Absent if PostgreSQL's notifications are the only source, or there are no other nodes. */
  readonly news?: FeedNews | undefined;
  readPage(runId: RunId, after: number): Promise<readonly RunEvent[]>;
  /** The current end of the run, and whether it is final; undefined for one that has not started. */
  readHead(
    runId: RunId,
  ): Promise<{ readonly lastSeq: number; readonly isClosed: boolean } | undefined>;
}

export interface FeedNews {
  readonly source: NotificationSource;
  /** Whether this node writes the run: then changes are known locally. */
  readonly isOwn: (runId: RunId) => boolean;
  readonly logger: Logger;
}

export interface Feed {
  /** How many tails wait for events: 0 when every reader has left. */
  readonly waiting: number;
  /** The followed runs. */
  followed(): readonly RunId[];
  /** This node stored these events. */
  tell(runId: RunId, events: readonly RunEvent[]): void;
  /** This node no longer writes the run: another one does, or will. */
  disowned(runId: RunId): void;
  /** Another node, or the table, reports the position of the run. */
  hint(runId: RunId, lastSeq: number): void;
  /** Nothing is known any longer: each follower checks for itself. */
  hintAll(): void;
  tail(runId: RunId, after: number): AsyncIterable<RunEvent>;
  /** Ends every tail. */
  close(): void;
}

interface Followed {
  followers: number;
  /** Undefined until a notification came, or the table was queried. */
  lastSeq: number | undefined;
  isClosed: boolean;
  latest: readonly RunEvent[];
  /** Reads under way by their position: followers that are at the same place share one. */
  readonly reads: Map<number, Promise<readonly RunEvent[]>>;
  /** Settles when the notification source reports it; returns a function that leaves. Absent while this node writes it. */
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

  /** What the notification source has a copy of; empty if it is unreachable. */
  async function copiedAfter(runId: RunId, run: Followed, seq: number) {
    if (!news || run.heard === undefined) return [];
    try {
      // Subscribed before the read: changes in between are reported.
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
      // Also backwards: a wrong hint must not keep the followers reading.
      run.lastSeq = head.lastSeq;
      run.isClosed ||= head.isClosed;
    } else if (run.lastSeq !== undefined && run.lastSeq > seq) {
      // It existed and is gone: the conversation was removed.
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

/** The part of the last batch after a position, if the batch reaches back that far. */
function latestAfter({ latest }: Followed, seq: number): readonly RunEvent[] {
  const first = latest[0]?.seq ?? Number.POSITIVE_INFINITY;
  return first <= seq + 1 ? latest.slice(seq + 1 - first) : [];
}
