/** The parts of messages that the proxy reads. */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { SessionUpdate } from "../updates/sessionUpdate.js";

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
