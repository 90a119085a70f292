/** A run that this node owns: where its log ends, in which epoch, and what its events mean for rows. */
import type { RunEvent } from "@callboard/run-log";
import type { RunBatch, RunStart } from "./runBatch.js";
import type { RowsFold } from "./runFold.js";

export interface HeldRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly epoch: number;
  readonly fold: RowsFold;
  lastSeq: number;
}

/** The next batch of a run. Its rows are folded here, so each batch is made once. */
export function nextBatch(
  held: HeldRun,
  events: readonly RunEvent[],
  start: RunStart | undefined,
): RunBatch {
  const { runId, conversationId, epoch, lastSeq } = held;
  const folded = held.fold.fold(events);
  return { ...folded, runId, conversationId, epoch, expectedSeq: lastSeq, events, start };
}
