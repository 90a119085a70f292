/** Logs in memory: for tests, for throwaway runs, and as the measure of what every store must do. */
import type { RunEvent } from "./events/index.js";
import type { RunId } from "./ids.js";
import type { LogStore } from "./logStore.js";

interface StoredLog {
  readonly events: RunEvent[];
  /** Tails that have read everything and wait for more. */
  readonly waiting: Set<() => void>;
}

/** A log store in memory. */
export interface MemoryLogStore extends LogStore {
  /** How many tails wait for events: 0 when every reader has left. */
  readonly waitingTails: number;
}

/** Creates a log store that keeps everything in memory. */
export function createMemoryLogStore(): MemoryLogStore {
  const logs = new Map<RunId, StoredLog>();

  function logOf(runId: RunId): StoredLog {
    const known = logs.get(runId);
    if (known) return known;
    const log: StoredLog = { events: [], waiting: new Set() };
    logs.set(runId, log);
    return log;
  }

  return {
    get waitingTails() {
      return [...logs.values()].reduce((count, log) => count + log.waiting.size, 0);
    },

    async append(runId, expectedSeq, events) {
      const log = logOf(runId);
      const misplaced = events.some((event, index) => event.seq !== expectedSeq + 1 + index);
      if (log.events.length !== expectedSeq || misplaced) {
        return { status: "conflict", seq: log.events.length };
      }
      for (const event of events) log.events.push(event);
      const waiting = [...log.waiting];
      log.waiting.clear();
      for (const wake of waiting) wake();
      return { status: "appended", seq: log.events.length };
    },

    async read(runId, { after, limit }) {
      const events = logs.get(runId)?.events ?? [];
      return events.slice(after, limit === undefined ? undefined : after + limit);
    },

    tail: (runId, { after }) => tailOf(logOf(runId), after),
  };
}

/** A hand-made iterator: a generator could not be released while it waits for the next event. */
function tailOf(log: StoredLog, after: number): AsyncIterable<RunEvent> {
  return {
    [Symbol.asyncIterator]() {
      let position = after;
      let isDone = false;
      const ownWaits = new Set<() => void>();
      const done = { done: true, value: undefined } as const;
      return {
        async next() {
          while (!isDone) {
            const event = log.events[position];
            if (event) {
              position += 1;
              isDone = event.type === "run.closed";
              return { done: false, value: event };
            }
            if (log.events.at(-1)?.type === "run.closed") break;
            await new Promise<void>((resolve) => {
              ownWaits.add(resolve);
              log.waiting.add(resolve);
            });
          }
          isDone = true;
          return done;
        },
        async return() {
          isDone = true;
          for (const wake of ownWaits) {
            log.waiting.delete(wake);
            wake();
          }
          ownWaits.clear();
          return done;
        },
      };
    },
  };
}
