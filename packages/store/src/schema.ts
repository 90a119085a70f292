/**
 * The tables as kysely sees them; `migrations/*.sql` is authoritative, and a test compares the two. It has
 * no queries. A connection reads int8 and numeric as numbers, json (not jsonb) as its text, and
 * timestamptz as Date.
 *
 * Who connects: the service is the role that migrated, or any login that was granted `service_role`.
 * The policies check its membership, so it needs no `set role`. A user's query runs in a
 * transaction that starts with `set local role authenticated` (or `anon`) and sets
 * `request.jwt.claims` to `{"sub": "<user id>"}` for it alone.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import type { ToolEventPayload } from "@callboard/run-log/http";
import type { CxContentPart } from "@callboard/run-log/projections";
import type { ColumnType, Generated } from "kysely";

/** Written as ISO text or Date, read as Date. */
type Time = ColumnType<Date, Date | string, Date | string>;
type TimeOrNull = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type GeneratedTime = ColumnType<Date, Date | string | undefined, Date | string>;
/** Written as JSON text, since a driver would write an array as an array of PostgreSQL. */
type Json<Value> = ColumnType<Value, string | undefined, string>;

export interface ConversationTable {
  id: Generated<string>;
  user_id: string;
  title: string | null;
  description: string | null;
  keywords: string[] | null;
  system_instruction: string | null;
  config: Json<JsonObject>;
  variables: Json<JsonObject>;
  overrides: Json<JsonObject>;
  status: Generated<"active" | "completed" | "archived" | "error">;
  is_public: Generated<boolean>;
  /** Counted by a trigger. */
  message_count: Generated<number>;
  last_model_id: string | null;
  forked_from_id: string | null;
  forked_at_position: number | null;
  parent_conversation_id: string | null;
  metadata: Json<JsonObject>;
  created_at: GeneratedTime;
  updated_at: GeneratedTime;
  deleted_at: TimeOrNull;
}

type MessageStatus =
  | "reserved"
  | "streaming"
  | "active"
  | "edited"
  | "partial"
  | "failed"
  | "condensed"
  | "summary"
  | "deleted";

export interface MessageTable {
  id: Generated<string>;
  conversation_id: string;
  role: "user" | "assistant" | "system" | "tool" | "output";
  position: number;
  status: Generated<MessageStatus>;
  content: Json<readonly CxContentPart[]>;
  metadata: Json<JsonObject>;
  created_at: GeneratedTime;
  deleted_at: TimeOrNull;
}

export interface UserRequestTable {
  id: string;
  conversation_id: string;
  user_id: string;
  status: Generated<"pending" | "completed" | "failed" | "cancelled">;
  iterations: Generated<number>;
  total_input_tokens: Generated<number>;
  total_output_tokens: Generated<number>;
  total_cached_tokens: Generated<number>;
  total_tokens: Generated<number>;
  total_cost: number | null;
  total_tool_calls: Generated<number>;
  total_duration_ms: Generated<number>;
  tool_duration_ms: Generated<number>;
  trigger_message_position: number | null;
  result_start_position: number | null;
  result_end_position: number | null;
  finish_reason: string | null;
  error: string | null;
  created_at: GeneratedTime;
  completed_at: TimeOrNull;
  metadata: Json<JsonObject>;
  deleted_at: TimeOrNull;
}

export interface ToolCallTable {
  id: Generated<string>;
  conversation_id: string;
  message_id: string | null;
  user_id: string;
  request_id: string | null;
  tool_name: string;
  tool_type: Generated<"local" | "external_mcp" | "agent">;
  call_id: string;
  status: Generated<"pending" | "running" | "completed" | "error">;
  arguments: Json<JsonValue>;
  amended_arguments: Json<JsonValue> | null;
  success: boolean | null;
  output: string | null;
  output_type: Generated<"text" | "json">;
  is_error: Generated<boolean>;
  error_type: string | null;
  error_message: string | null;
  duration_ms: Generated<number>;
  started_at: TimeOrNull;
  completed_at: TimeOrNull;
  input_tokens: number | null;
  output_tokens: number | null;
  total_tokens: number | null;
  cost_usd: number | null;
  iteration: Generated<number>;
  retry_count: Generated<number>;
  execution_events: Json<readonly ToolEventPayload[]>;
  parent_call_id: string | null;
  persist_key: string | null;
  file_path: string | null;
  metadata: Json<JsonObject>;
  created_at: GeneratedTime;
  deleted_at: TimeOrNull;
}

export interface RunTable {
  /** The id of its request. The foreign key is checked at commit. */
  id: string;
  conversation_id: string;
  user_id: string;
  owner: string | null;
  epoch: Generated<number>;
  lease_until: TimeOrNull;
  last_seq: Generated<number>;
  stored_bytes: Generated<number>;
  status: Generated<"open" | "closed">;
  is_resumable: Generated<boolean>;
  cancel_requested_at: TimeOrNull;
  created_at: GeneratedTime;
  closed_at: TimeOrNull;
  parked_at: TimeOrNull;
  waits_until: TimeOrNull;
  is_told: Generated<boolean>;
  told_seq: Generated<number>;
  tell_at: TimeOrNull;
  tell_attempts: Generated<number>;
  carry_at: TimeOrNull;
  source_until: TimeOrNull;
}

export interface RunEventTable {
  run_id: string;
  seq: number;
  at: Time;
  type: string;
  /** Set for the events of a call and for no other. */
  call_id: string | null;
  /** The event's JSON, byte for byte. */
  event: string;
  /** The position of the first delta that a closing represents. */
  first_delta: number | null;
  /** The JSON of what gives them back; see `writing/storedRhythm.ts`. */
  rhythm: string | null;
}

/** Of a run under way. */
export interface RunDeltaTable {
  run_id: string;
  seq: number;
  event: string;
}

/** A view: it reads the log. */
export interface OutputView {
  persist_key: string;
  run_id: string;
  call_id: string;
  body: string;
  created_at: Date;
}

/** Written by triggers. */
export interface SearchTable {
  source_id: string;
  conversation_id: string;
  kind: "conversation" | "message" | "call";
  words: string;
}

export interface NodeSecretTable {
  is_only: Generated<boolean>;
  secret: Generated<string>;
  created_at: GeneratedTime;
}

export interface AgentMemoryTable {
  id: Generated<string>;
  user_id: string;
  memory_type: Generated<"short" | "medium" | "long">;
  scope: Generated<"user" | "project" | "organization">;
  scope_id: string | null;
  key: string;
  content: string;
  importance: Generated<number>;
  access_count: Generated<number>;
  last_accessed_at: TimeOrNull;
  expires_at: TimeOrNull;
  metadata: Json<JsonObject>;
  created_at: GeneratedTime;
  updated_at: GeneratedTime;
  deleted_at: TimeOrNull;
}

export type PermissionLevel = "viewer" | "editor" | "admin";

export interface PermissionTable {
  id: Generated<string>;
  resource_type: "cx_conversation";
  resource_id: string;
  granted_to_user_id: string;
  permission_level: Generated<PermissionLevel>;
  granted_by: string | null;
  expires_at: TimeOrNull;
  created_at: GeneratedTime;
}

export interface ShareLinkTable {
  id: string;
  conversation_id: string;
  secret_hash: Buffer;
  created_at: GeneratedTime;
  expires_at: Time;
  revoked_at: TimeOrNull;
}

export interface AnswerLinkTable {
  id: string;
  run_id: string;
  approval_id: string | null;
  call_id: string | null;
  user_id: string;
  secret_hash: Buffer;
  created_at: GeneratedTime;
  expires_at: Time;
  used_at: TimeOrNull;
  revoked_at: TimeOrNull;
  held_until: TimeOrNull;
}

export interface KeptOutputTable {
  id: Generated<string>;
  run_id: string;
  call_id: string;
  size: number;
  created_at: GeneratedTime;
}

export interface KeptOutputPartTable {
  output_id: string;
  part: number;
  body: Buffer;
}

export interface QueuedAskTable {
  conversation_id: string;
  message_id: string;
  /** JSON, byte for byte. */
  ask: string;
  created_at: GeneratedTime;
}

export interface McpLoginTable {
  user_id: Generated<string>;
  server_url: string;
  sealed: string;
  created_at: GeneratedTime;
  updated_at: GeneratedTime;
}

export interface McpLoginAttemptTable {
  id: string;
  user_id: string;
  server_url: string;
  secret_hash: Buffer;
  sealed: string | null;
  expires_at: Time;
}

export interface MigrationTable {
  version: number;
  name: string;
  checksum: string;
  applied_at: GeneratedTime;
}

export interface StoreTables {
  cx_conversation: ConversationTable;
  cx_message: MessageTable;
  cx_user_request: UserRequestTable;
  cx_tool_call: ToolCallTable;
  cx_run: RunTable;
  cx_run_event: RunEventTable;
  cx_run_delta: RunDeltaTable;
  cx_output: OutputView;
  cx_search: SearchTable;
  cx_node_secret: NodeSecretTable;
  cx_agent_memory: AgentMemoryTable;
  cx_permission: PermissionTable;
  cx_share_link: ShareLinkTable;
  cx_answer_link: AnswerLinkTable;
  cx_kept_output: KeptOutputTable;
  cx_kept_output_part: KeptOutputPartTable;
  cx_queued_ask: QueuedAskTable;
  cx_mcp_login: McpLoginTable;
  cx_mcp_login_attempt: McpLoginAttemptTable;
  cx_migration: MigrationTable;
}
