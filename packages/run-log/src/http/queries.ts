/** What an address may contain: its parameters and its query. */
import * as z from "zod/mini";
import { callIdSchema } from "../log/ids.js";
import {
  columnText,
  cursorSchema,
  flagSchema,
  streamFormats,
  toolEventsSchema,
  uuidSchema,
} from "./values.js";

export const idParams = z.object({ id: uuidSchema });
export const approvalParams = z.object({
  id: uuidSchema,
  approval_id: z.string().check(z.maxLength(512)),
});
export const callParams = z.object({ id: uuidSchema, call_id: callIdSchema });
export const shareLinkParams = z.object({ id: uuidSchema, link_id: uuidSchema });
export const answerLinkParams = z.object({
  id: uuidSchema,
  approval_id: z.string().check(z.maxLength(512)),
  link_id: uuidSchema,
});
export const callAnswerLinkParams = z.object({
  id: uuidSchema,
  call_id: callIdSchema,
  link_id: uuidSchema,
});
export const queuedParams = z.object({
  id: uuidSchema,
  message_id: z.string().check(z.maxLength(1_000)),
});

/** How a run is streamed. */
const formShape = {
  format: z.optional(z.enum(streamFormats)),
  tool_events: z.optional(toolEventsSchema),
  stream_arguments: z.optional(flagSchema),
  /** Lines a second that deltas are merged to, or all. Default 30. */
  rate: z.optional(
    z.union([z.literal("all"), z.coerce.number().check(z.positive(), z.maximum(1_000))]),
  ),
};
export const formQuery = z.object(formShape);
export type FormQuery = z.output<typeof formQuery>;

export const eventsQuery = z.object({
  ...formShape,
  after: z.optional(cursorSchema),
  /** False gives what is stored and ends. */
  follow: z._default(flagSchema, true),
});

/** Which of the answers of a run; by default the last one. */
export const promptQuery = z.object({
  turn: z.optional(z.coerce.number().check(z.int(), z.positive(), z.maximum(100_000))),
});

/** One value, or several. */
const severalOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.optional(z.union([item, z.array(item)]));

/** `run` is `<run id>:<cursor>`. */
export const watchQuery = z.object({
  ...formShape,
  run: severalOf(
    z
      .string()
      .check(z.regex(/^[\da-fA-F-]{36}(?::\d{1,15}(?:\.\d{1,6})?)?$/, "write <run id>:<cursor>")),
  ),
  conversation: severalOf(uuidSchema),
  mine: z._default(flagSchema, false),
  cursor: z.optional(z.string().check(z.maxLength(100_000))),
});
export type WatchQuery = z.output<typeof watchQuery>;

const limitSchema = z._default(
  z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)),
  100,
);
const markSchema = z.optional(z.string().check(z.maxLength(200)));

export const pageQuery = z.object({ after: markSchema, limit: limitSchema });
export const positionPageQuery = z.object({
  after: z.optional(z.string().check(z.regex(/^\d{1,9}$/, "a position is a whole number"))),
  limit: limitSchema,
});
export const conversationsQuery = z.object({
  search: z.optional(columnText(200)),
  before: markSchema,
  limit: limitSchema,
  /** Each row with what its runs came to. */
  with_runs: z._default(flagSchema, false),
});

export const figuresQuery = z.object({
  days: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(366)), 30),
});

export const exportQuery = z.object({
  format: z._default(z.enum(["jsonl"]), "jsonl"),
  redact: z._default(z.enum(["true", "false"]), "true"),
});
