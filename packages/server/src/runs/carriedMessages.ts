/** What waited when a run ended, and which run begins with it, as the log of the ended run says. */
import type { WaitingMessage } from "@callboard/agent-sdk";
import { evolve, initialState, queueOf, type RunEvent, type RunState } from "@callboard/run-log";
import type { ParkedRun } from "../stores/runStore.js";
import type { LeftQueue } from "./runRequest.js";

/** Undefined where nothing was carried on. How the messages were asked for died with the memory of their node. */
export function leftQueueOf(
  { runId: endedRunId, conversationId, userId }: ParkedRun,
  log: readonly RunEvent[],
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
  return { endedRunId, runId: next, conversationId, user, waiting, asks: new Map() };
}
