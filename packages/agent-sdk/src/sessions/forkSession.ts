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
    const copy = await store.open(copyId);
    try {
      for (const runId of await source.runIds()) {
        const events = await source.read(runId, { after: 0 });
        const copiedId = runIdOf(newId());
        await copy.append(
          copiedId,
          0,
          events.map((event) => copied(event, copiedId, copyId)),
        );
      }
    } finally {
      await copy.close();
    }
  } finally {
    await source.close();
  }
  return copyId;
}

function copied(event: RunEvent, runId: RunId, copyId: string): RunEvent {
  if (event.type !== "run.started") return { ...event, runId };
  return { ...event, runId, conversationId: conversationId(copyId) };
}
