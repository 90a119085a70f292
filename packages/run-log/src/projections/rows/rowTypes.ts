/** The columns of the tables that a run writes, as PostgreSQL has them. Times are ISO texts. */

import type { ToolEventPayload } from "../../http/streamLines.js";
import type { ToolType } from "../../log/events/callEvents.js";
import type { JsonObject, JsonValue } from "../../values/json.js";

export type CxContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string; readonly signature?: string }
  | {
      readonly type: "media";
      readonly kind: "image";
      readonly data: string;
      readonly media_type?: string;
    }
  /** `id` is the provider's call id: the key that joins `cx_tool_call.call_id`. */
  | {
      readonly type: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly arguments: JsonValue;
    };

export interface CxMessageRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly role: "user" | "assistant" | "tool";
  readonly position: number;
  readonly status: "streaming" | "active";
  readonly content: readonly CxContentPart[];
  readonly metadata: JsonObject;
  readonly created_at: string;
  readonly deleted_at: string | null;
}

export interface CxToolCallRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly message_id: string | null;
  readonly user_id: string | null;
  readonly request_id: string | null;
  readonly tool_name: string;
  readonly tool_type: ToolType;
  readonly call_id: string;
  readonly status: "pending" | "running" | "completed" | "error";
  readonly arguments: JsonValue;
  /** The arguments that the call runs with, if a person or a hook changed them; otherwise null. */
  readonly amended_arguments: JsonValue;
  /** Null until the call has ended. */
  readonly success: boolean | null;
  readonly output: string | null;
  readonly output_type: "text" | "json";
  readonly is_error: boolean;
  readonly error_type: string | null;
  readonly error_message: string | null;
  /** Execution alone, without waiting for approval. */
  readonly duration_ms: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly iteration: number;
  readonly retry_count: number;
  readonly execution_events: readonly ToolEventPayload[];
  /** The row of the call that this one is nested in. */
  readonly parent_call_id: string | null;
  readonly persist_key: string | null;
  readonly file_path: string | null;
  readonly metadata: JsonObject;
  readonly created_at: string;
  readonly deleted_at: string | null;
}

export interface CxUserRequestRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly user_id: string | null;
  readonly status: "pending" | "completed" | "failed" | "cancelled";
  readonly iterations: number;
  readonly total_input_tokens: number;
  readonly total_output_tokens: number;
  readonly total_cached_tokens: number;
  readonly total_tokens: number;
  readonly total_cost: number | null;
  readonly total_tool_calls: number;
  readonly total_duration_ms: number;
  readonly tool_duration_ms: number;
  readonly trigger_message_position: number | null;
  readonly result_start_position: number | null;
  readonly result_end_position: number | null;
  readonly finish_reason: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly metadata: JsonObject;
  readonly deleted_at: string | null;
}

interface Tables {
  readonly cx_message: CxMessageRow;
  readonly cx_tool_call: CxToolCallRow;
  readonly cx_user_request: CxUserRequestRow;
}

type WriteOf<Table extends keyof Tables> =
  | { readonly table: Table; readonly write: "insert"; readonly row: Tables[Table] }
  | {
      readonly table: Table;
      readonly write: "update";
      readonly id: string;
      readonly set: Partial<Omit<Tables[Table], "id" | "created_at">>;
    };

/** One write, to be done in the transaction that appends its event. */
export type RowWrite = WriteOf<"cx_message"> | WriteOf<"cx_tool_call"> | WriteOf<"cx_user_request">;
