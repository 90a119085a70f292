/** What is to be written for one run in one go, and what the database must find for it to be written. */
import type { RunEvent } from "@callboard/run-log";
import type { FoldedBatch } from "./runFold.js";

/** The first batch of a run, which makes its row and, where it is new, its conversation's. */
export interface RunStart {
  readonly conversationId: string;
  readonly userId: string;
  readonly model: string;
  readonly isResumable: boolean;
  /** Whether somebody outside is told when it waits for a person or has ended. */
  readonly isTold: boolean;
  /** Whether its events come from another program, which is read again should its writer die. */
  readonly isCopy: boolean;
  /** How many runs the conversation must have: another number means that somebody else went on with it. */
  readonly runsBefore: number;
}

export interface RunBatch extends FoldedBatch {
  readonly runId: string;
  readonly conversationId: string;
  readonly epoch: number;
  readonly expectedSeq: number;
  readonly events: readonly RunEvent[];
  readonly start: RunStart | undefined;
}

export function lastSeqOf({ expectedSeq, events }: RunBatch): number {
  return expectedSeq + events.length;
}

export function closingIn({ events }: RunBatch): RunEvent | undefined {
  const last = events.at(-1);
  return last?.type === "run.closed" ? last : undefined;
}

/** Whether messages that waited are to begin another run. */
export function carriesOn({ events }: RunBatch): boolean {
  return events.some((event) => event.type === "message.unqueued" && event.outcome === "carried");
}
