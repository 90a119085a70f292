/** The rows of `cx_agent_memory` as they are kept now. Pure. */
import type { JsonObject } from "@callboard/run-log";
import {
  amountOrNull,
  columnText,
  legacyOf,
  type OlderRow,
  olderCountOf,
  oneOf,
  withLegacy,
} from "./olderRow.js";

/** A user's own memories have no scope id, all others have one. A second memory of a key gets a key of its own. */
export function adoptedMemories(older: readonly OlderRow[]): readonly JsonObject[] {
  const taken = new Set<string>();
  return older.map((row) => {
    const adopted = memoryRow(row);
    const keyOf = (key: string) =>
      JSON.stringify([adopted.user_id, adopted.scope, adopted.scope_id, key]);
    let key = adopted.key;
    for (let copy = 2; taken.has(keyOf(key)); copy += 1) key = `${adopted.key} (${copy})`;
    taken.add(keyOf(key));
    const named = { ...adopted, key };
    return { ...named, metadata: withLegacy(row.metadata, legacyOf(row, named, ["metadata"])) };
  });
}

function memoryRow(older: OlderRow) {
  const scopeId = columnText(older, "scope_id");
  const scope = oneOf(["project", "organization"], columnText(older, "scope"));
  const isShared = scope !== undefined && scopeId !== null;
  const createdAt = columnText(older, "created_at") ?? "1970-01-01T00:00:00Z";
  return {
    id: columnText(older, "id"),
    user_id: columnText(older, "user_id"),
    memory_type: oneOf(["short", "medium", "long"], columnText(older, "memory_type")) ?? "long",
    scope: isShared ? scope : "user",
    scope_id: isShared ? scopeId : null,
    key: columnText(older, "key") || "unnamed",
    content: columnText(older, "content") ?? "",
    importance: Math.min(1, amountOrNull(older, "importance") ?? 0.5),
    access_count: olderCountOf(older, "access_count"),
    last_accessed_at: columnText(older, "last_accessed_at"),
    expires_at: columnText(older, "expires_at"),
    created_at: createdAt,
    updated_at: columnText(older, "updated_at") ?? createdAt,
    deleted_at: columnText(older, "deleted_at"),
  };
}
