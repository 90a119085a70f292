/** What is written for one run at once, and the conditions in the database for it. */

import type { RunEvent } from "@callboard/run-log";
import type { RunSetup } from "../conversations/setup.js";
import type { FoldedBatch } from "./runFold.js";

/** The first batch of a run, which creates its row and, if it is new, its conversation's. */
export interface RunStart {
  readonly conversationId: string;
  readonly userId: string;
  readonly model: string;
  readonly isResumable: boolean;
  /** Whether a webhook is sent when it waits for a person or has ended. */
  readonly isTold: boolean;
  /** Whether its events come from another program, which is read again should its writer die. */
  readonly isCopy: boolean;
  /** The settings of its request, stored with its conversation for a node that resumes it. */
  readonly setup?: RunSetup | undefined;
  /** The expected number of runs of the conversation: another number means that another writer continued it. */
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

/** A run that is closed or parked belongs to no node. */
export function losesOwner(batch: RunBatch): boolean {
  return batch.parked !== undefined || closingIn(batch) !== undefined;
}

/** Whether a call began to wait for an answer. */
export function asksIn({ events }: RunBatch): boolean {
  return events.some(
    (event) =>
      event.type === "call.approval.asked" ||
      (event.type === "call.run.started" && event.delegatedTo !== undefined),
  );
}

/** Whether messages that waited start another run. */
export function carriesOn({ events }: RunBatch): boolean {
  return events.some((event) => event.type === "message.unqueued" && event.outcome === "carried");
}
