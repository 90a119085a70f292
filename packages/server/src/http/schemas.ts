/** What requests may say, as schemas that both check them and describe them. */
import {
  callIdSchema,
  isJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import { z } from "zod";
import { parseCursor } from "../streams/cursor.js";
import { formats } from "../streams/format.js";

export const idSchema = z.uuid().transform((id) => id.toLowerCase());
export const idParams = z.object({ id: idSchema });

/** Text for a column: PostgreSQL stores no NUL. */
export const textOf = (maxChars: number) =>
  z
    .string()
    .max(maxChars)
    .refine((text) => !text.includes("\0"), "it must not contain a NUL character");

const shortText = z.string().max(1_000);
const longText = z.string().max(1_000_000);

/** Any JSON. Not `z.json()`, which takes seconds for the largest body that is accepted. */
const jsonSchema = z.custom<JsonValue>(isJson, "it must be JSON, not nested too deeply");
const isObject = (value: unknown): boolean => isJson(value) && isJsonObject(value);
export const objectSchema = z.custom<JsonObject>(
  isObject,
  "it must be an object of JSON, not nested too deeply",
);

export const imageSchema = z.object({
  data: z.string().min(1).describe("base64"),
  media_type: z.string().max(100).optional(),
});

export const inputPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["input_text", "text"]), text: longText }),
  z.object({
    type: z.literal("input_image"),
    image_url: z.string().optional().describe("a data: URL with base64"),
    data: z.string().optional().describe("base64"),
    media_type: z.string().max(100).optional(),
  }),
]);

export const clientToolSchema = z.object({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().max(10_000).default(""),
  input_schema: objectSchema.default({ type: "object" }),
  expires_in_seconds: z.number().positive().max(86_400).default(300),
});

export const overridesSchema = z.strictObject({
  model: shortText.exactOptional(),
  max_turns: z.int().positive().max(1_000).exactOptional(),
  max_cost_usd: z.number().positive().exactOptional(),
  timeout_ms: z.int().positive().exactOptional(),
});

const toolEventsSchema = z.enum(["v2", "legacy", "both"]);

/** Which agent, and how its run is told. */
const runRequest = z.object({
  prompt_id: shortText
    .optional()
    .describe("An agent of the configuration; none is the default one."),
  stream: z.boolean().default(true),
  debug: z.boolean().default(false).describe("Sends every delta, and argument text as it streams."),
  tool_events: toolEventsSchema.default("v2"),
  stream_arguments: z.boolean().default(false),
  on_disconnect: z.enum(["continue", "cancel"]).default("continue"),
});
export type RunBody = z.infer<typeof runRequest>;

export const userInputSchema = z
  .union([longText.min(1), z.array(inputPartSchema).min(1).max(100)], {
    error: "say what the user asks: a text that is not empty, or a list of parts",
  })
  .describe("What the user says.");

export const executeSchema = runRequest.extend({
  conversation_id: idSchema.optional(),
  is_new_conversation: z.boolean().optional(),
  user_input: userInputSchema,
  when_busy: z
    .enum(["reject", "queue", "steer"])
    .default("reject")
    .describe("What happens to the message while the conversation has a run."),
  variables: z.record(z.string().max(100), jsonSchema).default({}),
  config_overrides: overridesSchema.default({}),
  client_tools: z.array(clientToolSchema).max(64).default([]),
});
export type ExecuteBody = z.infer<typeof executeSchema>;

export const callSchema = runRequest.extend({
  tool_name: shortText.min(1).describe("A tool of the agent."),
  arguments: objectSchema.default({}),
});

const flag = z.enum(["true", "false"]).transform((text) => text === "true");

export const formQuery = z.object({
  format: z.enum(formats).optional(),
  tool_events: toolEventsSchema.optional(),
  stream_arguments: flag.optional(),
  rate: z
    .union([z.literal("all"), z.coerce.number().positive().max(1_000)])
    .optional()
    .describe("Lines a second that deltas are merged to, or all. Default 30."),
});
export type FormQuery = z.infer<typeof formQuery>;

export const cursorSchema = z.string().transform((text, context) => {
  const cursor = parseCursor(text);
  if (cursor) return cursor;
  context.addIssue("a cursor is a position such as 12, or a position and lines such as 12.1");
  return z.NEVER;
});

export const eventsQuery = formQuery.extend({
  after: cursorSchema.optional(),
  follow: flag.default(true).describe("false gives what is stored and ends."),
});

export const cancelSchema = z
  .object({ call_id: z.optional(callIdSchema), reason: shortText.optional() })
  .default({});

export const approvalSchema = z.object({
  option_id: shortText,
  message: z.string().max(10_000).optional(),
});

export const callResultSchema = z.object({
  output: jsonSchema.optional(),
  output_type: z.enum(["text", "json"]).optional(),
  is_error: z.boolean().default(false),
  error_message: z.string().max(100_000).optional(),
  images: z.array(imageSchema).max(20).optional(),
});
export type CallResultBody = z.infer<typeof callResultSchema>;

export const warmSchema = z.object({ prompt_id: shortText.optional() }).default({});
