/**
 * Runs with their newest events in Redis: what this node writes is copied there, and runs of other nodes
 * are followed from there. PostgreSQL stays the truth: it is asked for every hole, and now and then
 * whether something was missed.
 */
import { type Clock, createTail, type Logger } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { observedSessions } from "../stores/observedSessions.js";
import type { RunStore } from "../stores/runStore.js";
import type { RedisEvents } from "./redisEvents.js";

export interface RedisRunStore extends RunStore {
  close(): void;
}

export interface RedisRunStoreOptions {
  readonly store: RunStore;
  readonly events: RedisEvents;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pollMs = 5_000;
const pageEvents = 500;

interface Followed {
  lastSeq: number;
  followers: number;
  readonly waiting: Set<() => void>;
  readonly leave: Promise<() => Promise<void>>;
}

export function createRedisRunStore(options: RedisRunStoreOptions): RedisRunStore {
  const { store, events, clock, logger } = options;
  const followed = new Map<string, Followed>();
  /** Runs that this node writes: their news come from within. */
  const own = new Set<string>();
  const closing = new AbortController();

  /** The run never waits for Redis, nor fails with it. */
  function copy(appended: readonly RunEvent[]): void {
    const [first] = appended;
    if (!first) return;
    own.add(first.runId);
    events.publish(first.runId, appended).catch((error) => {
      logger.debug("events could not be copied to Redis", { runId: first.runId, error });
    });
  }

  /** Also runs that could not be written to their ends: others write them now. */
  function leave(runIds: Iterable<string>): void {
    for (const runId of runIds) own.delete(runId);
  }

  function wakeAll({ waiting }: Followed): void {
    const wakes = [...waiting];
    waiting.clear();
    for (const wake of wakes) wake();
  }

  function moved(run: Followed, lastSeq: number): void {
    if (lastSeq <= run.lastSeq) return;
    run.lastSeq = lastSeq;
    wakeAll(run);
  }

  function follow(runId: string): Followed {
    const known = followed.get(runId);
    if (known) {
      known.followers += 1;
      return known;
    }
    const leave = events.follow(runId, (lastSeq) => moved(run, lastSeq));
    const run: Followed = { lastSeq: 0, followers: 1, waiting: new Set(), leave };
    followed.set(runId, run);
    return run;
  }

  function unfollow(runId: string, run: Followed): void {
    run.followers -= 1;
    if (run.followers > 0) return;
    followed.delete(runId);
    run.leave
      .then((leave) => leave())
      .catch((error) => logger.debug("a channel of Redis could not be left", { error }));
  }

  async function pageAfter(runId: string, run: Followed, after: number) {
    try {
      await run.leave;
      const copied = await events.read(runId, after);
      if (copied.length > 0) return copied;
    } catch (error) {
      logger.debug("events could not be read from Redis", { runId, error });
    }
    return store.read(runId, { after, limit: pageEvents });
  }

  function tailOf(runId: string, after: number): AsyncIterator<RunEvent> {
    const run = follow(runId);
    let isOver = false;
    let hasLeft = false;
    const leave = (): void => {
      if (!hasLeft) unfollow(runId, run);
      hasLeft = true;
    };
    const source = {
      async pageAfter(position: number) {
        // Someone who has read a run to its end waits for nothing.
        const from = position === after && after > 0 ? position - 1 : position;
        const page = await pageAfter(runId, run, from);
        if (from < position && page[0]?.type === "run.closed") isOver = true;
        return from < position ? page.slice(1) : page;
      },
      lastSeq: () => run.lastSeq,
      isOver: () => isOver || closing.signal.aborted,
      onNews(wake: () => void) {
        run.waiting.add(wake);
        return () => void run.waiting.delete(wake);
      },
    };
    const inner = createTail(source, after)[Symbol.asyncIterator]();
    return {
      async next() {
        const result = await inner.next();
        if (result.done) leave();
        return result;
      },
      async return() {
        leave();
        return (await inner.return?.()) ?? { done: true, value: undefined };
      },
    };
  }

  /** What was told while nobody could hear it is seen here. */
  async function poll(): Promise<void> {
    for (;;) {
      await clock.sleep(pollMs, closing.signal);
      if (closing.signal.aborted) return;
      if (followed.size === 0) continue;
      try {
        const heads = await store.lastSeqs([...followed.keys()]);
        for (const [runId, lastSeq] of heads) {
          const run = followed.get(runId);
          if (run) moved(run, lastSeq);
        }
      } catch (error) {
        logger.warn("followed runs could not be looked at", { error });
      }
    }
  }

  void poll();

  return {
    ...store,
    sessions: (user) =>
      observedSessions(store.sessions(user), { onAppended: copy, onReleased: leave }),
    tail: (runId, range) =>
      own.has(runId)
        ? store.tail(runId, range)
        : { [Symbol.asyncIterator]: () => tailOf(runId, range.after) },
    async claimOrphans() {
      const runs = await store.claimOrphans();
      const heads = await store.lastSeqs(runs.map(({ runId }) => runId));
      for (const [runId, lastSeq] of heads) {
        await events.hint(runId, lastSeq).catch((error) => {
          logger.debug("other nodes could not be told of a run", { runId, error });
        });
      }
      return runs;
    },
    close() {
      closing.abort();
      for (const run of followed.values()) wakeAll(run);
    },
  };
}
