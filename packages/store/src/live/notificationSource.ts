/**
 * The source of notifications about what other nodes store. PostgreSQL's notifications are always available; a faster
 * source may come before them. It is a hint and a copy: the table is authoritative.
 */
import type { RunEvent, RunId } from "@callboard/run-log";

export interface NotificationSource {
  /** Whether other nodes receive this node's notifications through it now. If not, PostgreSQL notifies. */
  isReached(): boolean;
  /** This node stored these events. It never makes the writer wait, nor fail. */
  stored(runId: RunId, events: readonly RunEvent[]): void;
  /** Calls back with the position of a run, as long as it is followed here. */
  follow(runId: RunId, onMoved: (lastSeq: number) => void): Promise<() => Promise<void>>;
  /** The events after a position without a gap; empty if it has no copy. */
  read(runId: RunId, after: number): Promise<readonly RunEvent[]>;
}
