/**
 * The door for the lines of the HTTP stream. Older and foreign servers leave fields out that ours
 * always sends (`seq`, `data`, `message`, `show_spinner`, an id): they are filled in here and nowhere else.
 */
import {
  type AgentStreamEvent,
  inEnglish,
  type JsonObject,
  problemText,
  type ToolEventName,
  toolLabel,
} from "@callboard/run-log";
import * as z from "zod/mini";
import { eventNameOf, jsonObjectSchema, jsonSchema } from "./payload.js";

const seq = { seq: z.exactOptional(z.int().check(z.minimum(0))) };

/** `null` where a server means that there is nothing. */
const optionalText = z.pipe(
  z.nullish(z.string()),
  z.transform((text) => text ?? undefined),
);

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields>;
function withoutAbsent(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The same fields, where those that may be undefined may be absent instead. */
type Present<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<
    Fields[Key],
    undefined
  >;
};

const statusUpdateSchema = z.object({
  event: z.literal("status_update"),
  data: z.pipe(
    z.object({
      status: z.string(),
      system_message: optionalText,
      user_visible_message: optionalText,
      metadata: z.pipe(
        z.nullish(jsonObjectSchema),
        z.transform((metadata) => metadata ?? undefined),
      ),
    }),
    z.transform(withoutAbsent),
  ),
  ...seq,
});

const errorSchema = z.object({
  event: z.literal("error"),
  data: z.pipe(
    z.object({
      type: z._default(z.string(), "error"),
      message: z.string(),
      user_visible_message: optionalText,
      code: optionalText,
      details: z.pipe(
        z.nullish(jsonObjectSchema),
        z.transform((details) => details ?? undefined),
      ),
    }),
    z.transform(withoutAbsent),
  ),
  ...seq,
});

const toolEventNames = [
  "tool_started",
  "tool_progress",
  "tool_step",
  "tool_result_preview",
  "tool_completed",
  "tool_error",
] as const;

export const toolEventPayloadSchema = z.pipe(
  z.object({
    event: z.enum(toolEventNames),
    call_id: z.string().check(z.minLength(1)),
    tool_name: z.string(),
    timestamp: z._default(z.number(), 0),
    message: optionalText,
    show_spinner: z.pipe(
      z.nullish(z.boolean()),
      z.transform((shows) => shows ?? undefined),
    ),
    data: z.pipe(
      z.nullish(jsonObjectSchema),
      z.transform((data) => data ?? {}),
    ),
  }),
  z.transform(({ show_spinner, message, ...payload }) => {
    const isEnd = payload.event === "tool_completed" || payload.event === "tool_error";
    return {
      ...payload,
      message: message ?? wordsFor(payload),
      show_spinner: show_spinner ?? !isEnd,
    };
  }),
);

/** What stands in for a message that a server left out. */
function wordsFor(payload: {
  readonly event: ToolEventName;
  readonly tool_name: string;
  readonly data: JsonObject;
}): string {
  const { detail, error_type } = payload.data;
  const told = payload.event === "tool_error" ? (detail ?? error_type) : undefined;
  return typeof told === "string" && told !== "" ? told : toolLabel(payload.tool_name);
}

const identity = {
  id: z._default(z.string(), ""),
  tool_name: z.pipe(
    z.nullish(z.string()),
    z.transform((name) => name ?? ""),
  ),
};

const toolUpdatePayloadSchema = z.discriminatedUnion("type", [
  z.object({
    ...identity,
    type: z.literal("user_visible_message"),
    user_visible_message: z.string(),
  }),
  z.object({ ...identity, type: z.literal("mcp_input"), mcp_input: jsonSchema }),
  z.object({ ...identity, type: z.literal("mcp_output"), mcp_output: jsonSchema }),
  z.object({ ...identity, type: z.literal("mcp_error"), mcp_error: z.string() }),
  z.object({ ...identity, type: z.literal("step_data"), step_data: jsonSchema }),
]);

const agentStreamSchema = z.discriminatedUnion("event", [
  statusUpdateSchema,
  errorSchema,
  z.object({ event: z.literal("chunk"), data: z.string(), ...seq }),
  z.object({ event: z.literal("tool_event"), data: toolEventPayloadSchema, ...seq }),
  z.object({ event: z.literal("tool_update"), data: toolUpdatePayloadSchema, ...seq }),
  z.object({ event: z.literal("data"), data: jsonSchema, ...seq }),
  z.object({
    event: z.literal("end"),
    data: z.pipe(
      z.unknown(),
      z.transform(() => true as const),
    ),
    ...seq,
  }),
]);

const knownEvents: ReadonlySet<string> = new Set(
  agentStreamSchema.def.options.flatMap((option) => option.shape.event.def.values),
);

/** A line of a kind that this client does not know: a newer server's, or another product's. */
export interface UnknownLine {
  readonly event: "unknown";
  readonly data: { readonly name: string; readonly value: unknown };
  readonly seq?: number;
}

const unknownSchema = z.object({ event: z.string(), data: z.unknown(), ...seq });

export type ParsedLine =
  | { readonly status: "parsed"; readonly line: AgentStreamEvent | UnknownLine }
  | { readonly status: "malformed"; readonly problem: string };

export function parseAgentStreamLine(value: unknown): ParsedLine {
  if (!knownEvents.has(eventNameOf(value) ?? "")) return parseUnknownLine(value);
  const parsed = agentStreamSchema.safeParse(value, inEnglish);
  if (parsed.success) return { status: "parsed", line: parsed.data };
  return { status: "malformed", problem: problemText(parsed.error) };
}

function parseUnknownLine(value: unknown): ParsedLine {
  const outline = unknownSchema.safeParse(value);
  if (!outline.success) {
    return { status: "malformed", problem: "a line is a JSON object with `event` and `data`" };
  }
  const { event: name, data, seq } = outline.data;
  const line = { event: "unknown" as const, data: { name, value: data } };
  return { status: "parsed", line: seq === undefined ? line : { ...line, seq } };
}
