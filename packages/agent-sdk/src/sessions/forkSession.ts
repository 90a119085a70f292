/** A copy of a session under another id. The runs of the copy have ids of their own; nothing else differs. */
import { conversationId, type RunEvent, type RunId, runId as runIdOf } from "@callboard/run-log";
import type { SessionStore } from "../types/sessions.js";

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

/** The same from events that somebody has read: also of a session that another process writes. */
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
      await copy.append(copiedId, 0, copies);
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
