/** A copy that no other code can change: the caller may continue to change its value. */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { SessionUpdate } from "./sessionUpdate.js";

export function ownUpdate(update: SessionUpdate): SessionUpdate {
  return { ...ownObject(update), sessionUpdate: update.sessionUpdate };
}

function ownObject(value: JsonObject): JsonObject {
  const copy: Record<string, JsonValue> = {};
  for (const [key, item] of Object.entries(value)) {
    // Whatever the types say, callers leave fields undefined; JSON leaves them out.
    if (item === undefined) continue;
    Object.defineProperty(copy, key, {
      ...{ value: ownValue(item), enumerable: true, writable: true, configurable: true },
    });
  }
  return copy;
}

/** Texts are shared: they cannot be changed. */
function ownValue(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(ownValue);
  return isJsonObject(value) ? ownObject(value) : value;
}
