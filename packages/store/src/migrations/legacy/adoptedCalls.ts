/**
 * The rows of `cx_tool_call` for the calls of an older conversation: those that had rows, those whose
 * results lay in messages, and those that never got an answer. Pure.
 */
import type { JsonObject } from "@callboard/run-log";
import { nameUuid } from "../../ids.js";
import { interrupted, keptCall } from "./keptCall.js";
import type { MadeCall, ToolNames } from "./madeCall.js";
import { columnText, countOrNull, type OlderRow, olderObjectOf } from "./olderRow.js";
import type { OlderResult } from "./toolResult.js";

/** What one message contains about calls. */
export interface MessageCalls {
  readonly messageId: string;
  readonly conversationId: string | null;
  readonly olderPosition: number | null;
  readonly createdAt: string;
  readonly made: readonly MadeCall[];
  readonly results: readonly OlderResult[];
}

export interface OlderCalls {
  /** In their order. */
  readonly messages: readonly MessageCalls[];
  readonly requests: readonly OlderRow[];
  readonly calls: readonly OlderRow[];
  readonly userId: string;
  readonly names: ToolNames;
}

interface OpenCall {
  readonly made: MadeCall;
  readonly message: MessageCalls;
  readonly place: number;
}

export function adoptedCalls(older: OlderCalls): readonly JsonObject[] {
  const rows: JsonObject[] = [];
  const open: OpenCall[] = [];
  const unused = [...older.calls];
  for (const message of older.messages) {
    message.made.forEach((made, place) => {
      open.push({ made, message, place });
    });
    message.results.forEach((result, place) => {
      const answered = takeAnswered(open, result);
      const row = takeRow(unused, message, result, answered);
      rows.push(
        row === undefined
          ? answeredRow(older, message, result, place, answered)
          : keptCall(older, row, result),
      );
    });
  }
  for (const row of unused) {
    rows.push(keptCall(older, row, undefined));
    takeAnswered(open, { callId: columnText(row, "call_id") });
  }
  for (const call of open) rows.push(unansweredRow(older, call));
  return onceInEachRequest(rows);
}

/** The latest open call of that id; for a result that names none, the first that is open. */
function takeAnswered(
  open: OpenCall[],
  { callId }: Pick<OlderResult, "callId">,
): OpenCall | undefined {
  const index = callId === null ? 0 : open.findLastIndex(({ made }) => made.callId === callId);
  return index < 0 ? undefined : open.splice(index, 1)[0];
}

/** A row that was written beside the message. */
function takeRow(
  unused: OlderRow[],
  message: MessageCalls,
  result: OlderResult,
  answered: OpenCall | undefined,
): OlderRow | undefined {
  const callId = result.callId ?? answered?.made.callId;
  const index = unused.findIndex(
    (row) =>
      columnText(row, "call_id") === callId &&
      (columnText(row, "message_id") ?? message.messageId) === message.messageId,
  );
  return index < 0 ? undefined : unused.splice(index, 1)[0];
}

function answeredRow(
  older: OlderCalls,
  message: MessageCalls,
  result: OlderResult,
  place: number,
  answered: OpenCall | undefined,
): JsonObject {
  const own = `${message.messageId}/${place}`;
  const name = result.name ?? answered?.made.name ?? "unknown_tool";
  return {
    ...blankRow(older, message, name),
    id: nameUuid(message.messageId, `result/${place}`),
    message_id: message.messageId,
    call_id: result.callId ?? answered?.made.callId ?? own,
    status: result.isError ? "error" : "completed",
    arguments: answered?.made.arguments ?? {},
    success: !result.isError,
    output: result.output,
    output_type: result.outputType,
    is_error: result.isError,
    error_type: result.isError ? "error" : null,
    error_message: result.isError ? result.output : null,
    metadata: { legacy: { ...renaming(older.names, name), result: result.rest } },
  };
}

function unansweredRow(older: OlderCalls, { made, message, place }: OpenCall): JsonObject {
  return {
    ...blankRow(older, message, made.name),
    id: nameUuid(message.messageId, `call/${place}`),
    message_id: null,
    call_id: made.callId,
    status: "error",
    arguments: made.arguments,
    success: false,
    output: interrupted,
    output_type: "text",
    is_error: true,
    error_type: "interrupted",
    error_message: interrupted,
    metadata: { legacy: renaming(older.names, made.name) },
  };
}

/** What rows made from messages have in common: their times are those of the message. */
function blankRow(older: OlderCalls, message: MessageCalls, name: string): JsonObject {
  return {
    conversation_id: message.conversationId,
    user_id: older.userId,
    request_id: requestAt(older.requests, message.olderPosition),
    tool_name: older.names[name] ?? name,
    tool_type: "local",
    duration_ms: 0,
    started_at: message.createdAt,
    completed_at: message.createdAt,
    input_tokens: null,
    output_tokens: null,
    total_tokens: null,
    cost_usd: null,
    iteration: 0,
    retry_count: 0,
    execution_events: [],
    parent_call_id: null,
    persist_key: null,
    file_path: null,
    created_at: message.createdAt,
    deleted_at: null,
  };
}

function renaming(names: ToolNames, name: string): JsonObject {
  return names[name] === undefined ? {} : { tool_name: name };
}

/** The request whose messages are around a position. */
function requestAt(requests: readonly OlderRow[], position: number | null): string | null {
  if (position === null) return null;
  const around = requests.find((row) => {
    const first = countOrNull(row, "trigger_message_position");
    const last = countOrNull(row, "result_end_position");
    return first !== null && last !== null && first <= position && position <= last;
  });
  return around === undefined ? null : columnText(around, "id");
}

/** Providers repeat call ids: within a request only the first call of an id can name the request. */
function onceInEachRequest(rows: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    if (row.request_id === null) return row;
    const key = JSON.stringify([row.request_id, row.call_id]);
    if (!seen.has(key)) {
      seen.add(key);
      return row;
    }
    const metadata = olderObjectOf(row.metadata);
    const legacy = { ...olderObjectOf(metadata.legacy), request_id: row.request_id ?? null };
    return { ...row, request_id: null, metadata: { ...metadata, legacy } };
  });
}
