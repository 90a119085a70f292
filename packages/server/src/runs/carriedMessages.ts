/** The messages that waited when a run ended, and the run that starts with them, from the log of the ended run. */
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import { evolve, initialState, queueOf, type RunEvent, type RunState } from "@callboard/run-log";
import type { ParkedRun } from "../stores/runStore.js";
import type { LeftQueue, QueuedAsks } from "./runRequest.js";

/** Undefined if no message was carried on. */
export function leftQueueOf(
  { runId: endedRunId, conversationId, userId }: ParkedRun,
  log: readonly RunEvent[],
  asks: QueuedAsks,
): LeftQueue | undefined {
  const waiting: WaitingMessage[] = [];
  let next: string | undefined;
  let state: RunState = initialState;
  for (const event of log) {
    if (event.type === "message.unqueued" && event.carriedTo !== undefined) {
      next = event.carriedTo;
      const carried = queueOf(state).filter(({ messageId }) => messageId === event.messageId);
      waiting.push(...carried.map(({ at: _, ...message }) => message));
    }
    state = evolve(state, event);
  }
  if (next === undefined) return undefined;
  const user = { userId };
  return { endedRunId, runId: next, conversationId, user, waiting, asks };
}
