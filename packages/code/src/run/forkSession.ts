/** A copy of a session under another id. The runs of the copy have ids of their own; nothing else differs. */
import { randomUUID } from "node:crypto";
import type { SessionStore } from "@callboard/agent-sdk";
import { conversationId, type RunEvent, type RunId, runId as runIdOf } from "@callboard/run-log";

export async function forkSession(
  store: SessionStore,
  sessionId: string,
  copyId: string,
): Promise<string> {
  const source = await store.open(sessionId);
  try {
    const copy = await store.open(copyId);
    try {
      for (const runId of await source.runIds()) {
        const events = await source.read(runId, { after: 0 });
        const newId = runIdOf(randomUUID());
        await copy.append(
          newId,
          0,
          events.map((event) => copied(event, newId, copyId)),
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
