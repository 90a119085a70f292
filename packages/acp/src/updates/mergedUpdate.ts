/**
 * Two updates of one call as one. A field of the later replaces the same field of the earlier, with one exception: a
 * final status stays. Appended values are joined, not replaced.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { isFinal, type SessionUpdate } from "./sessionUpdate.js";

/** The keys of `_meta` by which clients append to a terminal. */
export const appendingKeys: ReadonlySet<string> = new Set([
  "terminal_output",
  "terminal_output_delta",
]);

/** An opening stays an opening: the client then gets the whole call at once. */
export function mergedUpdate(earlier: SessionUpdate, later: SessionUpdate): SessionUpdate {
  const isOpening = [earlier, later].some(({ sessionUpdate }) => sessionUpdate === "tool_call");
  const merged: Record<string, JsonValue> = { ...earlier, ...later };
  if (isFinal(earlier.status) && earlier.status !== undefined) merged.status = earlier.status;
  const meta = mergedMeta(earlier._meta, later._meta);
  if (meta !== undefined) merged._meta = meta;
  return { ...merged, sessionUpdate: isOpening ? "tool_call" : later.sessionUpdate };
}

function mergedMeta(
  earlier: JsonValue | undefined,
  later: JsonValue | undefined,
): JsonValue | undefined {
  if (!isJsonObject(earlier)) return later;
  if (!isJsonObject(later)) return earlier;
  const joined = Object.entries(later).map(([key, value]): [string, JsonValue] => [
    key,
    appendingKeys.has(key) ? joinedOutput(earlier[key], value) : value,
  ]);
  return { ...earlier, ...Object.fromEntries(joined) };
}

/** Two pieces of one terminal's output. One update can name one terminal: of two, the later is sent. */
function joinedOutput(earlier: JsonValue | undefined, later: JsonValue): JsonValue {
  if (!isOutput(earlier) || !isOutput(later)) return later;
  if (earlier.terminal_id !== later.terminal_id) return later;
  return { ...later, data: earlier.data + later.data };
}

export function isOutput(
  value: JsonValue | undefined,
): value is JsonObject & { readonly data: string } {
  return isJsonObject(value) && typeof value.data === "string";
}
