/** A row of `cx_tool_call` that was there already, as it is kept now. Pure. */
import { isJsonList, type JsonObject } from "@callboard/run-log";
import type { OlderCalls } from "./adoptedCalls.js";
import {
  amountOrNull,
  columnText,
  countOrNull,
  legacyOf,
  type OlderRow,
  olderCountOf,
  olderObjectOf,
  oneOf,
  withLegacy,
} from "./olderRow.js";
import type { OlderResult } from "./toolResult.js";

/** The text for a call that never got an answer. */
export const interrupted = "The run ended before this call did.";

/** A call without an end was interrupted. A result in a message may contain what the row lacks. */
export function keptCall(
  { names, userId, requests, messages, calls }: OlderCalls,
  older: OlderRow,
  result: OlderResult | undefined,
): JsonObject {
  const status = columnText(older, "status");
  const isOk = status === "completed" && older.is_error !== true && older.success !== false;
  const hasEnded = isOk || status === "completed" || status === "error";
  const name = columnText(older, "tool_name") ?? "unknown_tool";
  const createdAt =
    columnText(older, "created_at") ?? columnText(older, "started_at") ?? "1970-01-01T00:00:00Z";
  const output = columnText(older, "output") ?? result?.output ?? (hasEnded ? null : interrupted);
  const known = (rows: readonly OlderRow[], key: string): string | null =>
    rows.some(({ id }) => id === older[key]) ? columnText(older, key) : null;
  const messageId = messages.find((message) => message.messageId === older.message_id)?.messageId;
  const row: JsonObject = {
    id: columnText(older, "id"),
    conversation_id: columnText(older, "conversation_id"),
    message_id: messageId ?? null,
    user_id: columnText(older, "user_id") ?? userId,
    request_id: known(requests, "request_id"),
    tool_name: names[name] ?? name,
    tool_type: oneOf(["local", "external_mcp", "agent"], columnText(older, "tool_type")) ?? "local",
    call_id: columnText(older, "call_id") ?? columnText(older, "id"),
    status: isOk ? "completed" : "error",
    arguments: older.arguments ?? {},
    success: isOk,
    output,
    output_type:
      oneOf(["text", "json"], columnText(older, "output_type")) ?? result?.outputType ?? "text",
    is_error: !isOk,
    error_type: isOk
      ? null
      : (columnText(older, "error_type") ?? (hasEnded ? "error" : "interrupted")),
    error_message: isOk ? null : (columnText(older, "error_message") ?? output),
    duration_ms: olderCountOf(older, "duration_ms"),
    started_at: columnText(older, "started_at"),
    completed_at: columnText(older, "completed_at") ?? createdAt,
    input_tokens: countOrNull(older, "input_tokens"),
    output_tokens: countOrNull(older, "output_tokens"),
    total_tokens: countOrNull(older, "total_tokens"),
    cost_usd: amountOrNull(older, "cost_usd"),
    iteration: olderCountOf(older, "iteration"),
    retry_count: olderCountOf(older, "retry_count"),
    execution_events: isJsonList(older.execution_events) ? older.execution_events : [],
    parent_call_id: known(calls, "parent_call_id"),
    persist_key: columnText(older, "persist_key"),
    file_path: columnText(older, "file_path"),
    created_at: createdAt,
    deleted_at: columnText(older, "deleted_at"),
  };
  const legacy = legacyOf(older, row, ["metadata"]);
  return {
    ...row,
    metadata: withLegacy(
      olderObjectOf(older.metadata),
      result === undefined ? legacy : { ...legacy, result: result.rest },
    ),
  };
}
