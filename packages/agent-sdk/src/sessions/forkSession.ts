/**
 * A copy of a session with another id. The runs of the copy have ids of their own, and every run of it has an end: a
 * question, or a call that was allowed and has not started, stays with the original, so that it is done once.
 */
import {
  conversationId,
  evolve,
  initialState,
  type RunEvent,
  type RunId,
  type RunState,
  runId as runIdOf,
} from "@callboard/run-log";
import type { SessionStore } from "../types/sessions.js";
import { interruptionEndingOf } from "./interruption.js";

/** Nobody may have the session open. `newId` makes the ids of the copied runs. */
export async function forkSession(
  store: SessionStore,
  sessionId: string,
  copyId: string,
  newId: () => string,
): Promise<string> {
  const source = await store.open(sessionId);
  try {
    const runs: (readonly RunEvent[])[] = [];
    for (const runId of await source.runIds()) runs.push(await source.read(runId, { after: 0 }));
    return await copySession(store, runs, copyId, newId);
  } finally {
    await source.close();
  }
}

const keptReason = "the session was copied: its question is answered in the original";

/** The same from events that the caller has read: also of a session that another process writes. */
export async function copySession(
  store: SessionStore,
  runs: Iterable<readonly RunEvent[]>,
  copyId: string,
  newId: () => string,
): Promise<string> {
  const copy = await store.open(copyId);
  try {
    for (const events of runs) {
      const copiedId = runIdOf(newId());
      const copies = events.map((event) => copied(event, copiedId, copyId));
      const state = copies.reduce((before: RunState, event) => evolve(before, event), initialState);
      const closings = interruptionEndingOf(state, copies.at(-1)?.at ?? 0, keptReason);
      await copy.append(copiedId, 0, [...copies, ...closings]);
    }
  } finally {
    await copy.close();
  }
  return copyId;
}

function copied(event: RunEvent, runId: RunId, copyId: string): RunEvent {
  if (event.type !== "run.started") return { ...event, runId };
  return { ...event, runId, conversationId: conversationId(copyId) };
}
