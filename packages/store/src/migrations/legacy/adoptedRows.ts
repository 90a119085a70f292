/**
 * One conversation of the older shape as rows of the new one. Pure. Every row keeps its id; a call that had
 * no row gets one whose id is always the same for the same place, so that doing it twice does it once.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { adoptedCalls, type MessageCalls } from "./adoptedCalls.js";
import { madeContentOf, type ToolNames } from "./madeCall.js";
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
import { resultsOf } from "./toolResult.js";

export interface OlderConversation {
  readonly conversation: OlderRow;
  readonly messages: readonly OlderRow[];
  readonly requests: readonly OlderRow[];
  readonly calls: readonly OlderRow[];
}

export interface AdoptedRows {
  readonly cx_conversation: readonly JsonObject[];
  readonly cx_message: readonly JsonObject[];
  readonly cx_user_request: readonly JsonObject[];
  readonly cx_tool_call: readonly JsonObject[];
}

/** The owner of a conversation without a user: it is not possible to sign in as it. */
const nobody = "00000000-0000-0000-0000-000000000000";

export function adoptedRows(older: OlderConversation, names: ToolNames): AdoptedRows {
  const conversation = conversationRow(older.conversation);
  const userId = columnText(conversation, "user_id") ?? nobody;
  const ordered = inOrder(older.messages);
  const positions = positionsOf(ordered);
  const messages = ordered.map((row, index) =>
    adoptedMessageOf(row, positions[index] ?? index, names),
  );
  const requests = older.requests.map((row) => requestRow(row, userId, ordered, positions));
  return {
    cx_conversation: [conversation],
    cx_message: messages.map(({ row }) => row),
    cx_user_request: requests,
    cx_tool_call: adoptedCalls({
      messages: messages.map(({ calls }) => calls),
      requests: older.requests,
      calls: older.calls,
      userId,
      names,
    }),
  };
}

function conversationRow(older: OlderRow): JsonObject {
  const { keywords } = older;
  const createdAt = columnText(older, "created_at") ?? epoch;
  const row = {
    id: columnText(older, "id"),
    user_id: columnText(older, "user_id") ?? nobody,
    title: columnText(older, "title"),
    description: columnText(older, "description"),
    keywords: Array.isArray(keywords) ? keywords.map(String) : null,
    system_instruction: columnText(older, "system_instruction"),
    config: olderObjectOf(older.config),
    variables: olderObjectOf(older.variables),
    overrides: olderObjectOf(older.overrides),
    status:
      oneOf(["active", "completed", "archived", "error"], columnText(older, "status")) ?? "active",
    is_public: older.is_public === true,
    last_model_id: columnText(older, "last_model_id") ?? columnText(older, "ai_model_id"),
    forked_at_position: countOrNull(older, "forked_at_position"),
    created_at: createdAt,
    updated_at: columnText(older, "updated_at") ?? createdAt,
    deleted_at: columnText(older, "deleted_at"),
  };
  const told = ["metadata", "message_count"];
  return { ...row, metadata: withLegacy(older.metadata, legacyOf(older, row, told)) };
}

const epoch = "1970-01-01T00:00:00Z";

function inOrder(messages: readonly OlderRow[]): readonly OlderRow[] {
  const key = (row: OlderRow): readonly [number, string, string] => [
    countOrNull(row, "position") ?? Number.MAX_SAFE_INTEGER,
    columnText(row, "created_at") ?? "",
    columnText(row, "id") ?? "",
  ];
  return messages.toSorted((one, other) => {
    const [place, at, id] = key(one);
    const [otherPlace, otherAt, otherId] = key(other);
    return place - otherPlace || at.localeCompare(otherAt) || id.localeCompare(otherId);
  });
}

/** The original positions; if two messages share one, or one has none, all are numbered again in their order. */
function positionsOf(ordered: readonly OlderRow[]): readonly number[] {
  const positions = ordered.map((row) => countOrNull(row, "position"));
  const known = positions.filter((position) => position !== null);
  return new Set(known).size === ordered.length ? known : ordered.map((_, index) => index);
}

const messageStatuses = [
  "reserved",
  "streaming",
  "active",
  "edited",
  "partial",
  "failed",
  "condensed",
  "summary",
  "deleted",
] as const;

function adoptedMessageOf(
  older: OlderRow,
  position: number,
  names: ToolNames,
): { readonly row: JsonObject; readonly calls: MessageCalls } {
  const id = columnText(older, "id") ?? "";
  const olderRole = columnText(older, "role");
  const role =
    oneOf(["user", "assistant", "system", "tool", "output"], olderRole) ??
    (olderRole === "function" ? "tool" : "system");
  const isTool = role === "tool";
  const { content, calls } = isTool
    ? { content: [], calls: [] }
    : madeContentOf(older.content, id, names);
  const row = {
    id,
    conversation_id: columnText(older, "conversation_id"),
    role,
    position,
    status: oneOf(messageStatuses, columnText(older, "status")) ?? "active",
    content,
    created_at: columnText(older, "created_at") ?? epoch,
    deleted_at: columnText(older, "deleted_at"),
  };
  // The result of a tool moves to its call, if nothing of it is lost.
  const told = isTool ? ["metadata", "content"] : ["metadata"];
  return {
    row: { ...row, metadata: withLegacy(older.metadata, legacyOf(older, row, told)) },
    calls: {
      messageId: id,
      conversationId: row.conversation_id,
      olderPosition: countOrNull(older, "position"),
      createdAt: row.created_at,
      made: role === "assistant" ? calls : [],
      results: isTool ? resultsOf(older.content) : [],
    },
  };
}

function requestRow(
  older: OlderRow,
  userId: string,
  ordered: readonly OlderRow[],
  positions: readonly number[],
): JsonObject {
  const placed = (key: string): number | null => {
    const position = countOrNull(older, key);
    const index = ordered.findIndex((row) => countOrNull(row, "position") === position);
    return position === null ? null : (positions[index] ?? position);
  };
  const status =
    oneOf(["completed", "failed", "cancelled"], columnText(older, "status")) ?? "failed";
  const createdAt = columnText(older, "created_at") ?? epoch;
  const wasPending = columnText(older, "status") === "pending";
  const row: Readonly<Record<string, JsonValue>> = {
    id: columnText(older, "id"),
    conversation_id: columnText(older, "conversation_id"),
    user_id: columnText(older, "user_id") ?? userId,
    status,
    iterations: olderCountOf(older, "iterations"),
    total_input_tokens: olderCountOf(older, "total_input_tokens"),
    total_output_tokens: olderCountOf(older, "total_output_tokens"),
    total_cached_tokens: olderCountOf(older, "total_cached_tokens"),
    total_tokens: olderCountOf(older, "total_tokens"),
    total_cost: amountOrNull(older, "total_cost"),
    total_tool_calls: olderCountOf(older, "total_tool_calls"),
    total_duration_ms: olderCountOf(older, "total_duration_ms"),
    tool_duration_ms: olderCountOf(older, "tool_duration_ms"),
    trigger_message_position: placed("trigger_message_position"),
    result_start_position: placed("result_start_position"),
    result_end_position: placed("result_end_position"),
    finish_reason: columnText(older, "finish_reason") ?? (wasPending ? "interrupted" : null),
    error: columnText(older, "error") ?? (wasPending ? "interrupted" : null),
    created_at: createdAt,
    completed_at: columnText(older, "completed_at") ?? createdAt,
    deleted_at: columnText(older, "deleted_at"),
  };
  return { ...row, metadata: withLegacy(older.metadata, legacyOf(older, row, ["metadata"])) };
}
