/**
 * Stored rows as the server returns them: the columns of the tables, snake_case. Fields that a newer server adds are
 * ignored; a part or a role of an unknown kind is kept.
 */
import * as z from "zod/mini";
import { toolTypes } from "../log/events/callEvents.js";
import { jsonObjectSchema, jsonSchema } from "../log/events/envelope.js";
import { toolEventPayloadSchema } from "./streamLines.js";

const textOrNull = z.nullable(z.string());
const numberOrNull = z.nullable(z.number());

const contentPartSchema = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({
    type: z.literal("thinking"),
    text: z.string(),
    signature: z.exactOptional(z.string()),
  }),
  z.object({
    type: z.literal("media"),
    kind: z.literal("image"),
    data: z.string(),
    media_type: z.exactOptional(z.string()),
  }),
  z.object({
    type: z.literal("tool_call"),
    id: z.string(),
    name: z.string(),
    arguments: jsonSchema,
  }),
  z.object({ type: z.literal("unknown") }),
]);

const knownParts: ReadonlySet<unknown> = new Set(["text", "thinking", "media", "tool_call"]);

/** A part of another kind has its place in the message, and nothing that could be shown. */
function partOrUnknown(part: unknown): unknown {
  const type = typeof part === "object" && part !== null && "type" in part ? part.type : undefined;
  return knownParts.has(type) ? part : { type: "unknown" };
}

export const messageRowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  role: z.enum(["user", "assistant", "system", "tool", "output"]),
  position: z.int(),
  status: z.string(),
  content: z.readonly(z.array(z.pipe(z.transform(partOrUnknown), contentPartSchema))),
  metadata: jsonObjectSchema,
  created_at: z.string(),
  deleted_at: textOrNull,
});

export const toolCallRowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  message_id: textOrNull,
  user_id: textOrNull,
  request_id: textOrNull,
  tool_name: z.string(),
  tool_type: z.enum(toolTypes),
  call_id: z.string(),
  status: z.enum(["pending", "running", "completed", "error"]),
  arguments: jsonSchema,
  amended_arguments: jsonSchema,
  success: z.nullable(z.boolean()),
  output: textOrNull,
  output_type: z.enum(["text", "json"]),
  is_error: z.boolean(),
  error_type: textOrNull,
  error_message: textOrNull,
  duration_ms: z.number(),
  started_at: textOrNull,
  completed_at: textOrNull,
  input_tokens: numberOrNull,
  output_tokens: numberOrNull,
  total_tokens: numberOrNull,
  cost_usd: numberOrNull,
  iteration: z.int(),
  retry_count: z.int(),
  execution_events: z.readonly(z.array(toolEventPayloadSchema)),
  parent_call_id: textOrNull,
  persist_key: textOrNull,
  file_path: textOrNull,
  metadata: jsonObjectSchema,
  created_at: z.string(),
  deleted_at: textOrNull,
});

/** `run_status` and `last_seq` are not columns: the server adds the state of the run's log. */
export const runRowSchema = z.object({
  id: z.string(),
  conversation_id: z.string(),
  user_id: textOrNull,
  status: z.enum(["pending", "completed", "failed", "cancelled"]),
  iterations: z.int(),
  total_input_tokens: z.number(),
  total_output_tokens: z.number(),
  total_cached_tokens: z.number(),
  total_tokens: z.number(),
  total_cost: numberOrNull,
  total_tool_calls: z.number(),
  total_duration_ms: z.number(),
  tool_duration_ms: z.number(),
  trigger_message_position: z.nullable(z.int()),
  result_start_position: z.nullable(z.int()),
  result_end_position: z.nullable(z.int()),
  finish_reason: textOrNull,
  error: textOrNull,
  created_at: z.string(),
  completed_at: textOrNull,
  metadata: jsonObjectSchema,
  deleted_at: textOrNull,
  run_status: z.exactOptional(z.enum(["open", "closed"])),
  last_seq: z.exactOptional(z.int()),
});

/** The totals of the runs of a conversation. */
const runSummarySchema = z.looseObject({
  count: z.number(),
  open: z.number(),
  failed: z.number(),
  /** Of the last one. */
  last_status: z.enum(["pending", "completed", "failed", "cancelled"]),
  last_error: textOrNull,
  model: textOrNull,
  /** Which agent ran it, where its log names one. */
  agent: z.nullish(z.string()),
  /** The names of the tools that were called. */
  tools: z.exactOptional(z.readonly(z.array(z.string()))),
  tool_calls: z.number(),
  total_tokens: z.number(),
  total_cost: numberOrNull,
  duration_ms: z.number(),
});

export const conversationRowSchema = z.looseObject({
  id: z.string(),
  title: textOrNull,
  status: z.string(),
  message_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Present if it was requested (`with_runs`) and there are any. */
  runs: z.exactOptional(runSummarySchema),
});

/** The usage of a caller's tools, models and days. Times are milliseconds. */
export const figuresSchema = z.looseObject({
  tools: z.readonly(
    z.array(
      z.looseObject({
        tool_name: z.string(),
        calls: z.number(),
        errors: z.number(),
        p50_ms: numberOrNull,
        p95_ms: numberOrNull,
      }),
    ),
  ),
  models: z.readonly(
    z.array(
      z.looseObject({
        model: textOrNull,
        requests: z.number(),
        failed: z.number(),
        total_tokens: z.number(),
        total_cost: numberOrNull,
        p50_ms: numberOrNull,
        p95_ms: numberOrNull,
        first_token_p50_ms: numberOrNull,
        first_token_p95_ms: numberOrNull,
      }),
    ),
  ),
  days: z.readonly(
    z.array(
      z.looseObject({
        /** `2026-11-16`, in UTC. */
        day: z.string(),
        requests: z.number(),
        failed: z.number(),
        total_tokens: z.number(),
        total_cost: numberOrNull,
        p50_ms: numberOrNull,
        p95_ms: numberOrNull,
        first_token_p50_ms: numberOrNull,
        first_token_p95_ms: numberOrNull,
      }),
    ),
  ),
});
export type Figures = z.infer<typeof figuresSchema>;

export type RunSummary = z.infer<typeof runSummarySchema>;
export type ConversationRow = z.infer<typeof conversationRowSchema>;
export type MessageRow = Readonly<z.infer<typeof messageRowSchema>>;
export type ToolCallRow = Readonly<z.infer<typeof toolCallRowSchema>>;
export type RunRow = Readonly<z.infer<typeof runRowSchema>>;
