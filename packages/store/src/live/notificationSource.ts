/**
 * Where a node hears of what other nodes store. PostgreSQL's notifications are the one that is always there; a
 * faster one may stand in front of it. It is a hint and a copy: the table stays the truth.
 */
import type { RunEvent, RunId } from "@callboard/run-log";

export interface NotificationSource {
  /** Whether others hear of this node by it now. Where not, PostgreSQL notifies. */
  isReached(): boolean;
  /** This node stored these events. It never makes the writer wait, nor fail. */
  stored(runId: RunId, events: readonly RunEvent[]): void;
  /** Calls back with how far a run is, for as long as somebody follows it here. */
  follow(runId: RunId, onMoved: (lastSeq: number) => void): Promise<() => Promise<void>>;
  /** What follows a position without a hole; empty where it has no copy. */
  read(runId: RunId, after: number): Promise<readonly RunEvent[]>;
}
