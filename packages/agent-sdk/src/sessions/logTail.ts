/**
 * Following a log: what is stored, a page at a time, then what is appended. A follower holds one page;
 * it never makes an append wait, and leaving it releases it at once.
 */
import type { RunEvent, RunId } from "@callboard/run-log";

/** Positions count events from 1: for the log of a run they are the events' `seq`. */
export interface TailSource {
  /** The next events after a position; empty when there are none yet. Throws when none can ever come. */
  readonly pageAfter: (position: number) => Promise<readonly RunEvent[]>;
  /** The last position that is stored. */
  readonly lastSeq: () => number;
  /** Whether nothing will follow what is stored. */
  readonly isOver: () => boolean;
  /** Calls back once, at the next change. Returns a function that stops the wait. */
  readonly onChange: (wake: () => void) => () => void;
  /** Whether nothing can follow this event. Default: it closes its run. */
  readonly isLast?: (event: RunEvent) => boolean;
}

const closesRun = (event: RunEvent): boolean => event.type === "run.closed";

export function createTail(source: TailSource, after: number): AsyncIterable<RunEvent> {
  return { [Symbol.asyncIterator]: () => createTailIterator(source, after) };
}

/** A hand-made iterator: a generator could not be released while it waits for the next event. */
function createTailIterator(source: TailSource, after: number): AsyncIterator<RunEvent> {
  const done = { done: true, value: undefined } as const;
  let page: readonly RunEvent[] = [];
  let used = 0;
  const isLast = source.isLast ?? closesRun;
  let position = after;
  let isDone = false;
  let leave: (() => void) | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  async function advance(): Promise<IteratorResult<RunEvent, undefined>> {
    while (!isDone) {
      const event = page[used];
      if (event) {
        used += 1;
        position += 1;
        isDone = isLast(event);
        return { done: false, value: event };
      }
      page = await source.pageAfter(position);
      used = 0;
      if (page.length > 0 || source.lastSeq() > position) continue;
      if (source.isOver()) break;
      await new Promise<void>((resolve) => {
        const stop = source.onChange(resolve);
        leave = () => {
          stop();
          resolve();
        };
      });
      leave = undefined;
    }
    isDone = true;
    return done;
  }

  return {
    next() {
      const result = turn.then(advance, advance);
      turn = result;
      return result;
    },
    async return() {
      isDone = true;
      page = [];
      leave?.();
      return done;
    },
  };
}

export interface ChangeSignal {
  readonly waiting: number;
  onChange(runId: RunId, wake: () => void): () => void;
  tell(runId: RunId): void;
  tellAll(): void;
}

/** The waiters of each run. */
export function createChangeSignal(): ChangeSignal {
  const waiting = new Map<RunId, Set<() => void>>();

  function tell(runId: RunId): void {
    const wakes = waiting.get(runId);
    if (!wakes) return;
    waiting.delete(runId);
    for (const wake of wakes) wake();
  }

  return {
    get waiting() {
      return [...waiting.values()].reduce((count, wakes) => count + wakes.size, 0);
    },
    onChange(runId, wake) {
      const wakes = waiting.get(runId) ?? new Set();
      waiting.set(runId, wakes);
      wakes.add(wake);
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && waiting.get(runId) === wakes) waiting.delete(runId);
      };
    },
    tell,
    tellAll() {
      for (const runId of [...waiting.keys()]) tell(runId);
    },
  };
}
