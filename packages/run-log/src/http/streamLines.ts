/**
 * The lines of the HTTP streams. Older and foreign servers leave fields out that ours always sends (`seq`,
 * `data`, `message`, `show_spinner`, an id): they are filled in here and nowhere else.
 */

import * as z from "zod/mini";
import { toolLabel } from "../calls/toolLabel.js";
import { jsonObjectSchema, jsonSchema } from "../log/events/envelope.js";
import { isFields } from "../values/fields.js";

/** The position in the log; the lines that one event gives share it. */
const seq = { seq: z.exactOptional(z.int().check(z.minimum(0))) };

/** A value as it came, made into what our own server would have sent. */
function filled<Schema extends z.ZodMiniType>(
  fill: (fields: Readonly<Record<string, unknown>>) => object,
  schema: Schema,
) {
  return z.pipe(
    z.transform((value: unknown) => (isFields(value) ? fill(withoutNulls(value)) : value)),
    schema,
  );
}

/** `null` if a server means that there is nothing. */
function withoutNulls(fields: Readonly<Record<string, unknown>>) {
  const present = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  return Object.fromEntries(present);
}

export const statusUpdateSchema = filled(
  (fields) => fields,
  z.object({
    status: z.string(),
    system_message: z.exactOptional(z.string()),
    user_visible_message: z.exactOptional(z.string()),
    metadata: z.exactOptional(jsonObjectSchema),
  }),
);
export type AgentStatusUpdate = Readonly<z.infer<typeof statusUpdateSchema>>;

export const errorDataSchema = filled(
  (fields) => ({ type: "error", ...fields }),
  z.object({
    type: z.string(),
    message: z.string(),
    user_visible_message: z.exactOptional(z.string()),
    code: z.exactOptional(z.string()),
    details: z.exactOptional(jsonObjectSchema),
  }),
);
export type AgentErrorData = Readonly<z.infer<typeof errorDataSchema>>;

export const toolEventNames = [
  "tool_started",
  "tool_progress",
  "tool_step",
  "tool_result_preview",
  "tool_completed",
  "tool_error",
] as const;
export type ToolEventName = (typeof toolEventNames)[number];

export const toolEventFields = {
  event: z.enum(toolEventNames),
  call_id: z.string().check(z.minLength(1)),
  tool_name: z.string(),
  /** Unix seconds with a fraction. */
  timestamp: z.number(),
  /** What the call is doing, for people. A moment without a text of its own repeats the last one. */
  message: z.string(),
  /** True until the call ends. */
  show_spinner: z.boolean(),
  data: jsonObjectSchema,
};

export const toolEventPayloadSchema = filled(filledToolEvent, z.object(toolEventFields));
export type ToolEventPayload = Readonly<z.infer<typeof toolEventPayloadSchema>>;

function filledToolEvent(fields: Readonly<Record<string, unknown>>): object {
  const isEnd = fields.event === "tool_completed" || fields.event === "tool_error";
  return { timestamp: 0, message: wordsFor(fields), show_spinner: !isEnd, data: {}, ...fields };
}

/** Replaces a message that a server omitted. */
function wordsFor({ event, tool_name, data }: Readonly<Record<string, unknown>>): string {
  const { detail, error_type } = isFields(data) ? data : {};
  const told = event === "tool_error" ? (detail ?? error_type) : undefined;
  if (typeof told === "string" && told !== "") return told;
  return typeof tool_name === "string" ? toolLabel(tool_name) : "";
}

const identity = { id: z.string(), tool_name: z.string() };

export const toolUpdatePayloadSchema = filled(
  (fields) => ({ id: "", tool_name: "", ...fields }),
  z.discriminatedUnion("type", [
    z.object({
      ...identity,
      type: z.literal("user_visible_message"),
      user_visible_message: z.string(),
    }),
    z.object({ ...identity, type: z.literal("mcp_input"), mcp_input: jsonSchema }),
    z.object({ ...identity, type: z.literal("mcp_output"), mcp_output: jsonSchema }),
    z.object({ ...identity, type: z.literal("mcp_error"), mcp_error: z.string() }),
    z.object({ ...identity, type: z.literal("step_data"), step_data: jsonSchema }),
  ]),
);
/** `Readonly` over each member of a union. */
type EachReadonly<Union> = Union extends unknown ? Readonly<Union> : never;

export type ToolUpdatePayload = EachReadonly<z.infer<typeof toolUpdatePayloadSchema>>;

function lineSchemaOf<Name extends string, Data extends z.ZodMiniType>(event: Name, data: Data) {
  return z.object({ event: z.literal(event), data, ...seq });
}

const statusUpdateLine = lineSchemaOf("status_update", statusUpdateSchema);
const chunkLine = lineSchemaOf("chunk", z.string());
const toolEventLine = lineSchemaOf("tool_event", toolEventPayloadSchema);
const toolUpdateLine = lineSchemaOf("tool_update", toolUpdatePayloadSchema);
const dataLine = lineSchemaOf("data", jsonSchema);
const errorLine = lineSchemaOf("error", errorDataSchema);
const endData = z.transform(() => true as const);
const endLine = lineSchemaOf("end", z.pipe(endData, z.literal(true)));

export const agentStreamEventSchema = z.discriminatedUnion("event", [
  statusUpdateLine,
  chunkLine,
  toolEventLine,
  toolUpdateLine,
  dataLine,
  errorLine,
  endLine,
]);

export type AgentStatusUpdateEvent = Readonly<z.infer<typeof statusUpdateLine>>;
export type AgentChunkEvent = Readonly<z.infer<typeof chunkLine>>;
export type AgentToolEvent = Readonly<z.infer<typeof toolEventLine>>;
/** Deprecated: what the V2 `tool_event` replaced. */
export type AgentToolUpdateEvent = Readonly<z.infer<typeof toolUpdateLine>>;
export type AgentDataEvent = Readonly<z.infer<typeof dataLine>>;
export type AgentErrorEvent = Readonly<z.infer<typeof errorLine>>;
export type AgentEndEvent = Readonly<z.infer<typeof endLine>>;

export type AgentStreamEvent =
  | AgentStatusUpdateEvent
  | AgentChunkEvent
  | AgentToolEvent
  | AgentToolUpdateEvent
  | AgentDataEvent
  | AgentErrorEvent
  | AgentEndEvent;

/** The cursor is no longer known: discard what was shown, apply the snapshot, continue from `seq`. */
export const resetSchema = z.object({
  event: z.literal("reset"),
  data: z.object({
    reason: z._default(z.string(), "the cursor is no longer known"),
    seq: z._default(z.int().check(z.minimum(0)), 0),
    snapshot: z.exactOptional(jsonSchema),
  }),
});

/** The server ends the stream, or omits one part of a stream of many runs, with the reason. */
export const closedSchema = z.object({
  event: z.literal("closed"),
  run_id: z.exactOptional(z.string()),
  conversation_id: z.exactOptional(z.string()),
  data: z.object({ reason: z.string(), message: z._default(z.string(), "") }),
});

/** A run that becomes visible on a stream of many. */
export const runAnnouncedSchema = z.object({
  event: z.literal("run"),
  data: z.object({
    conversation_id: z.string(),
    status: z.enum(["open", "closed"]),
    last_seq: z.int().check(z.minimum(0)),
  }),
});

/** Fields that every line of a stream of many runs may have in addition to its own. */
export const placeSchema = z.looseObject({
  run_id: z.exactOptional(z.string()),
  cursor: z.exactOptional(z.string()),
});
