/**
 * A session's events for its readers, in the order of emission. The newest are in memory; a reader that is further
 * behind gets pages of the log. It never makes a writer wait.
 */
import type { LogStore, RunEvent, RunId } from "@callboard/run-log";
import { createTail } from "./logTail.js";

export interface SessionFeed {
  push(event: RunEvent): void;
  /** An event of the past, possibly with gaps before it: not kept here, read from the log on request. */
  pass(event: RunEvent): void;
  /** The events after a position, a count from the start, and later ones until the feed is closed. */
  read(after: number): AsyncIterable<RunEvent>;
  /** Readers get what is still in memory, and then their end. */
  close(): void;
}

/** Neighbouring events of one run: their positions in the feed and in their log. */
interface Stretch {
  readonly runId: RunId;
  readonly position: number;
  readonly after: number;
}

export const keptEvents = 10_000;
const pageEvents = 256;

export function createSessionFeed(log: Pick<LogStore, "read">): SessionFeed {
  const stretches: Stretch[] = [];
  const waiting = new Set<() => void>();
  let recent: RunEvent[] = [];
  let total = 0;
  let isClosed = false;

  function wakeReaders(): void {
    const wakes = [...waiting];
    waiting.clear();
    for (const wake of wakes) wake();
  }

  async function pageAfter(position: number): Promise<readonly RunEvent[]> {
    const kept = total - recent.length;
    if (position >= kept) return recent.slice(position - kept, position - kept + pageEvents);
    const at = stretches.findLastIndex((stretch) => stretch.position <= position);
    const stretch = stretches[at];
    if (!stretch) return [];
    const end = stretches[at + 1]?.position ?? total;
    const limit = Math.min(pageEvents, end - position);
    return log.read(stretch.runId, { after: stretch.after + position - stretch.position, limit });
  }

  return {
    push(event) {
      const { runId, seq } = event;
      if (stretches.at(-1)?.runId !== runId) {
        stretches.push({ runId, position: total, after: seq - 1 });
      }
      recent.push(event);
      total += 1;
      // Cutting only at twice the size keeps the cost of an event the same for all.
      if (recent.length > 2 * keptEvents) recent = recent.slice(-keptEvents);
      wakeReaders();
    },
    pass({ runId, seq }) {
      if (stretches.at(-1)?.runId !== runId) stretches.push({ runId, position: total, after: 0 });
      total = (stretches.at(-1)?.position ?? 0) + seq;
    },
    read: (after) =>
      createTail(
        {
          pageAfter,
          lastSeq: () => total,
          isOver: () => isClosed,
          isLast: () => false,
          onChange(wake) {
            waiting.add(wake);
            return () => void waiting.delete(wake);
          },
        },
        after,
      ),
    close() {
      isClosed = true;
      wakeReaders();
    },
  };
}
