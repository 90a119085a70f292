import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StoreTables } from "./schema.js";
import { openStage, type Stage, stageKinds } from "./testing/stage.js";

/** Every column of every table, so that the compiler notices one that `schema.ts` forgot or made up. */
const columns: { readonly [Table in keyof StoreTables]: readonly (keyof StoreTables[Table])[] } = {
  cx_agent_memory: [
    "id",
    "user_id",
    "memory_type",
    "scope",
    "scope_id",
    "key",
    "content",
    "importance",
    "access_count",
    "last_accessed_at",
    "expires_at",
    "metadata",
    "created_at",
    "updated_at",
    "deleted_at",
  ],
  cx_conversation: [
    "id",
    "user_id",
    "title",
    "description",
    "keywords",
    "system_instruction",
    "config",
    "variables",
    "overrides",
    "status",
    "is_public",
    "message_count",
    "last_model_id",
    "forked_from_id",
    "forked_at_position",
    "parent_conversation_id",
    "metadata",
    "created_at",
    "updated_at",
    "deleted_at",
  ],
  cx_message: [
    "id",
    "conversation_id",
    "role",
    "position",
    "status",
    "content",
    "metadata",
    "created_at",
    "deleted_at",
  ],
  cx_migration: ["version", "name", "checksum", "applied_at"],
  cx_node_secret: ["is_only", "secret", "created_at"],
  cx_output: ["persist_key", "run_id", "call_id", "body", "created_at"],
  cx_permission: [
    "id",
    "resource_type",
    "resource_id",
    "granted_to_user_id",
    "permission_level",
    "granted_by",
    "expires_at",
    "created_at",
  ],
  cx_run: [
    "id",
    "conversation_id",
    "user_id",
    "owner",
    "epoch",
    "lease_until",
    "last_seq",
    "stored_bytes",
    "status",
    "is_resumable",
    "cancel_requested_at",
    "created_at",
    "closed_at",
    "parked_at",
    "waits_until",
  ],
  cx_run_event: ["run_id", "seq", "at", "type", "call_id", "event"],
  cx_search: ["source_id", "conversation_id", "kind", "words"],
  cx_share_link: ["id", "conversation_id", "secret_hash", "created_at", "expires_at", "revoked_at"],
  cx_tool_call: [
    "id",
    "conversation_id",
    "message_id",
    "user_id",
    "request_id",
    "tool_name",
    "tool_type",
    "call_id",
    "status",
    "arguments",
    "success",
    "output",
    "output_type",
    "is_error",
    "error_type",
    "error_message",
    "duration_ms",
    "started_at",
    "completed_at",
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "cost_usd",
    "iteration",
    "retry_count",
    "execution_events",
    "parent_call_id",
    "persist_key",
    "file_path",
    "metadata",
    "created_at",
    "deleted_at",
  ],
  cx_user_request: [
    "id",
    "conversation_id",
    "user_id",
    "status",
    "iterations",
    "total_input_tokens",
    "total_output_tokens",
    "total_cached_tokens",
    "total_tokens",
    "total_cost",
    "total_tool_calls",
    "total_duration_ms",
    "tool_duration_ms",
    "trigger_message_position",
    "result_start_position",
    "result_end_position",
    "finish_reason",
    "error",
    "created_at",
    "completed_at",
    "metadata",
    "deleted_at",
  ],
};

describe.each(stageKinds)("the tables of %s", (kind) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(kind);
  });
  afterAll(() => stage.close());

  it("have the columns that the types say", async () => {
    const rows = await stage.service((session) =>
      session.query(`
        select table_name::text as name, array_agg(column_name::text order by ordinal_position) as columns
        from information_schema.columns
        where table_schema = 'public' and table_name !~ '(statistics|timing)$'
        group by table_name
        order by table_name
      `),
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.columns]))).toEqual(columns);
  });
});
