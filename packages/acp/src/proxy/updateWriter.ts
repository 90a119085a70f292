/**
 * Writes updates to the client. One that nothing was merged with is written with the very bytes that came, and
 * what stood beside an update in its message is written beside it again.
 */
import type { JsonObject } from "@callboard/run-log";
import { isSameJson } from "@callboard/run-log/values";
import { mayFollow, type SessionUpdate } from "../updates/sessionUpdate.js";
import type { UpdateEngine } from "../updates/updateEngine.js";

export interface Offered {
  readonly update: SessionUpdate;
  /** The message of the update, if it is offered unchanged. */
  readonly message?: JsonObject;
  /** The fields beside the update in its message. */
  readonly around: JsonObject;
  /** The message is written once and as it is, whatever the update says that the client has already. */
  readonly isWhole?: boolean;
}

export interface UpdateWriter {
  write(sessionId: string, update: SessionUpdate): Promise<void>;
  /** The last update of a session that was given to the engine. */
  offers(sessionId: string, offered: Offered): void;
  forget(sessionId: string): void;
}

export function createUpdateWriter(toClient: (message: JsonObject) => Promise<void>): UpdateWriter {
  const offered = new Map<string, Offered>();
  const told = new WeakSet<Offered>();
  return {
    write(sessionId, update) {
      const last = offered.get(sessionId);
      if (last?.message && last.isWhole) {
        // What the engine says in several updates is in the message once.
        if (told.has(last)) return Promise.resolve();
        told.add(last);
        return toClient(last.message);
      }
      if (last?.message && isSameJson(last.update, update)) return toClient(last.message);
      return toClient(updateMessage(sessionId, update, last?.around));
    },
    offers: (sessionId, given) => void offered.set(sessionId, given),
    forget: (sessionId) => void offered.delete(sessionId),
  };
}

/** Whether an update goes on with what the client has: an end is final, and a status never goes back. */
export function continuesCall(
  engine: UpdateEngine,
  sessionId: string,
  { toolCallId, status }: SessionUpdate,
): boolean {
  if (typeof toolCallId !== "string") return true;
  if (!engine.openCalls(sessionId).includes(toolCallId)) return false;
  return status === undefined || mayFollow(engine.fieldOf(sessionId, toolCallId, "status"), status);
}

export function updateMessage(
  sessionId: string,
  update: SessionUpdate,
  around: JsonObject = {},
): JsonObject {
  const params = { ...around, sessionId, update };
  return { jsonrpc: "2.0", method: "session/update", params };
}
