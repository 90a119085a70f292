/** The parts of messages that the proxy reads. */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { AskedRequest } from "@callboard/run-log/acp";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

/** Requests whose answer ends a turn: every call of the turn must be closed by then. */
export const turnMethods: ReadonlySet<string> = new Set(["session/prompt", "session/load"]);

/** Whether a request of the client came while an earlier one of its session was working: its answer ends no turn. */
export function isWithinTurn(waiting: ReadonlyMap<string, AskedRequest>, key: string): boolean {
  const session = waiting.get(key)?.session;
  for (const [other, request] of waiting) {
    if (other === key) return false;
    if (request.session === session && turnMethods.has(request.method)) return true;
  }
  return false;
}

/** Whether a session is sent from its start: ended calls are opened again. */
export function isTellingAnew(method: string, { replayFrom = null }: JsonObject): boolean {
  return method === "session/load" || (method === "session/resume" && replayFrom !== null);
}

export function isUpdate(value: JsonValue | undefined): value is SessionUpdate {
  return isJsonObject(value) && typeof value.sessionUpdate === "string";
}

export function clientNameOf(params: JsonObject): string | undefined {
  const info = params.clientInfo ?? params.info;
  return isJsonObject(info) && typeof info.name === "string" ? info.name : undefined;
}

export function parsedId(key: string): JsonValue {
  const id: unknown = JSON.parse(key);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
