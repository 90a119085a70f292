/**
 * What requests may contain. The server checks them with these schemas, the OpenAPI document is generated from them, and
 * the client's types are inferred from them. `z.input` is the wire form, `z.output` what the server reads.
 */
import * as z from "zod/mini";
import { callIdSchema } from "../log/ids.js";
import {
  columnText,
  cursorSchema,
  jsonObjectSchema,
  jsonSchema,
  longText,
  positiveInt,
  shortText,
  streamFormats,
  toolEventsSchema,
  uuidSchema,
} from "./values.js";
import { shareLevels, whenWords } from "./words.js";

const mediaType = z.string().check(z.maxLength(100));

/** `data` is base64. */
const imageSchema = z.object({
  data: z.string().check(z.minLength(1)),
  media_type: z.optional(mediaType),
});

/** An image is base64 in `data`, or a `data:` URL with base64 in `image_url`. */
export const inputPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["input_text", "text"]), text: longText }),
  z.object({
    type: z.literal("input_image"),
    image_url: z.optional(z.string()),
    data: z.optional(z.string()),
    media_type: z.optional(mediaType),
  }),
]);
export type InputPart = z.input<typeof inputPartSchema>;

/** A tool that the client executes: the run sends it the call and waits for its result. */
export const clientToolSchema = z.object({
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/)),
  description: z._default(z.string().check(z.maxLength(10_000)), ""),
  /** JSON Schema of its arguments. */
  input_schema: z._default(jsonObjectSchema, { type: "object" }),
  /** How long its result is waited for; null without end. */
  expires_in_seconds: z._default(
    z.nullable(z.number().check(z.positive(), z.maximum(31_536_000))),
    86_400,
  ),
});
export type ClientToolDefinition = z.input<typeof clientToolSchema>;

/** Tighter than the agent's own limits, never wider. */
export const overridesSchema = z.strictObject({
  model: z.exactOptional(shortText),
  max_turns: z.exactOptional(positiveInt.check(z.maximum(1_000))),
  max_cost_usd: z.exactOptional(z.number().check(z.positive())),
  timeout_ms: z.exactOptional(positiveInt),
});

/** The agent, and the format of its run. */
const runRequestShape = {
  /** An agent of the server's configuration; none is the default one. */
  prompt_id: z.optional(shortText),
  /** False answers once, at the end. */
  stream: z._default(z.boolean(), true),
  /** Sends every delta, and argument text as it streams. */
  debug: z._default(z.boolean(), false),
  /** Which tool lines are streamed. */
  tool_events: z._default(toolEventsSchema, "v2"),
  stream_arguments: z._default(z.boolean(), false),
  /** What happens to the run when its reader disconnects. */
  on_disconnect: z._default(z.enum(["continue", "cancel"]), "continue"),
};

/** The user's message. */
export const userInputSchema = z.union(
  [
    longText.check(z.minLength(1)),
    z.readonly(z.array(inputPartSchema).check(z.minLength(1), z.maxLength(100))),
  ],
  { error: "expected a text that is not empty, or a list of parts" },
);
export type UserInput = z.output<typeof userInputSchema>;

export const executeSchema = z.object({
  ...runRequestShape,
  conversation_id: z.optional(uuidSchema),
  /** False refuses to start a conversation. */
  is_new_conversation: z.optional(z.boolean()),
  user_input: userInputSchema,
  /** What happens to the message while the conversation has a run. */
  when_busy: z._default(z.enum(["reject", ...whenWords]), "reject"),
  /** Fill `{{name}}` in the agent's system prompt. */
  variables: z._default(z.record(z.string().check(z.maxLength(100)), jsonSchema), {}),
  config_overrides: z._default(overridesSchema, {}),
  client_tools: z._default(z.readonly(z.array(clientToolSchema).check(z.maxLength(64))), []),
});
export type ExecuteRequest = z.input<typeof executeSchema>;
export type ExecuteBody = z.output<typeof executeSchema>;

/** A tool of the agent that a person runs now. */
export const runToolSchema = z.object({
  ...runRequestShape,
  tool_name: shortText.check(z.minLength(1)),
  arguments: z._default(jsonObjectSchema, {}),
});

/** A summary of the conversation so far, for the model. */
export const compactSchema = z.object({
  ...runRequestShape,
  config_overrides: z._default(overridesSchema, {}),
});

export type RunBody = Pick<z.output<typeof runToolSchema>, keyof typeof runRequestShape>;

export const warmSchema = z._default(z.object({ prompt_id: z.optional(shortText) }), {});

/** With `call_id` one call ends and the run continues; without it the run ends. */
export const cancelSchema = z._default(
  z.object({ call_id: z.optional(callIdSchema), reason: z.optional(shortText) }),
  {},
);
export interface CancelRequest {
  readonly call_id?: string;
  readonly reason?: string;
}

export const approvalSchema = z.object({
  /** One of the options that were offered. */
  option_id: shortText,
  /** Sent to the model if it is a rejection. */
  message: z.optional(z.string().check(z.maxLength(10_000))),
  /** Arguments that replace those of the question. They are checked like the model's; only valid with an option that allows once. */
  input: z.optional(jsonObjectSchema),
});
export type ApprovalAnswer = Readonly<z.input<typeof approvalSchema>>;

/** The answer of a client for a call that it executes itself. The same answer may be sent again. */
export const callResultSchema = z.object({
  output: z.optional(jsonSchema),
  output_type: z.optional(z.enum(["text", "json"])),
  is_error: z._default(z.boolean(), false),
  error_message: z.optional(z.string().check(z.maxLength(100_000))),
  images: z.optional(z.readonly(z.array(imageSchema).check(z.maxLength(20)))),
});
export type CallResult = Readonly<z.input<typeof callResultSchema>>;
export type CallResultBody = z.output<typeof callResultSchema>;

/** The fields that describe a conversation; null removes one. */
const conversationFieldsShape = {
  title: z.optional(z.nullable(columnText(1_000))),
  description: z.optional(z.nullable(columnText(10_000))),
  keywords: z.optional(z.nullable(z.readonly(z.array(columnText(100)).check(z.maxLength(100))))),
  status: z.optional(z.enum(["active", "completed", "archived"])),
};
export const conversationFieldsSchema = z.object(conversationFieldsShape);
export type ConversationFields = Readonly<z.input<typeof conversationFieldsSchema>>;

export const createConversationSchema = z._default(
  z.object({ ...conversationFieldsShape, id: z.optional(uuidSchema) }),
  {},
);

export const forkSchema = z.object({ position: z.int().check(z.minimum(0)) });

/** One user, or all users. */
const whomShape = { user_id: z.optional(uuidSchema), is_public: z.optional(z.boolean()) };
export const unshareSchema = z.object(whomShape);
export const shareSchema = z.object({ ...whomShape, level: z.enum(shareLevels) });
export type ShareRequest = Readonly<z.input<typeof shareSchema>>;
export type ShareLevel = ShareRequest["level"];

/** A link to read one conversation; it ends by itself after at most a year. */
export const createShareLinkSchema = z.object({
  expires_in_s: z.int().check(z.minimum(1), z.maximum(31_536_000)),
});

/** A link by which its holder answers one question, once. It expires after a day by default, after at most 30 days. */
export const createAnswerLinkSchema = z._default(
  z.object({
    expires_in_s: z._default(z.int().check(z.minimum(1), z.maximum(2_592_000)), 86_400),
  }),
  { expires_in_s: 86_400 },
);

/** A login at an MCP server, by its address as it is listed. */
export const mcpLoginRequestSchema = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(2_000)),
});

/** A rule that is taken back: as it is listed. */
export const forgetRuleSchema = z.object({
  rule: z.string().check(z.minLength(1), z.maxLength(100_000)),
  effect: z.enum(["allow", "deny"]),
  folder: z.optional(z.string().check(z.maxLength(10_000))),
});
export type ForgetRuleRequest = Readonly<z.input<typeof forgetRuleSchema>>;

/** The changed fields of a waiting message. */
export const queueEditSchema = z.object({
  user_input: z.optional(userInputSchema),
  when: z.optional(z.enum(whenWords)),
});
export type QueueEdit = Readonly<z.input<typeof queueEditSchema>>;

/** The content of a stream of many runs, and its starting point. */
export const watchSchema = z.object({
  /** A cursor for each run; it takes precedence over the entry of the run in `cursor`. */
  runs: z._default(
    z.array(z.object({ run_id: uuidSchema, cursor: z._default(cursorSchema, "0") })),
    [],
  ),
  conversations: z._default(z.array(uuidSchema), []),
  /** One's own open runs and those to come. */
  mine: z._default(z.boolean(), false),
  /** The last cursor of the stream: it covers everything that is watched. */
  cursor: z.optional(z.string().check(z.maxLength(1_000_000))),
  format: z.optional(z.enum(streamFormats)),
  tool_events: z.optional(toolEventsSchema),
  stream_arguments: z.optional(z.boolean()),
  rate: z.optional(z.union([z.literal("all"), z.number().check(z.positive(), z.maximum(1_000))])),
});
export type WatchRequest = z.input<typeof watchSchema>;
export type WatchBody = z.output<typeof watchSchema>;

const placeSchema = z.string().check(z.regex(/^\d+$/));

/** What the page of an answer link sends. A name occurs once for each of its values. */
export const answerFormSchema = z.catchall(
  z.object({
    text: z.optional(z.string()),
    choice: z.optional(z.union([placeSchema, z.array(placeSchema)])),
  }),
  z.union([z.string(), z.array(z.string())]),
);
