/** The small vocabularies that requests and answers share. */
import * as z from "zod/mini";

export { jsonObjectSchema, jsonSchema } from "../log/events/envelope.js";

/** The id of a run or a conversation. Upper case is accepted and lowered. */
export const uuidSchema = z.uuid().check(z.toLowerCase());

/** Text for a column: PostgreSQL stores no NUL. */
export const columnText = (maxChars: number) =>
  z.string().check(
    z.maxLength(maxChars),
    z.refine((text) => !text.includes("\0"), "it must not contain a NUL character"),
  );

export const shortText = z.string().check(z.maxLength(1_000));
export const longText = z.string().check(z.maxLength(1_000_000));

export const positiveInt = z.int().check(z.positive());

/** A flag of a query string. */
export const flagSchema = z.pipe(
  z.enum(["true", "false"]),
  z.transform((text) => text === "true"),
);

export const toolEventsSchema = z.enum(["v2", "legacy", "both"]);

/** In which words a stream is written. */
export const streamFormats = ["events", "log", "ui-message", "ag-ui"] as const;
export type StreamFormat = (typeof streamFormats)[number];

/**
 * Where a reader is: everything up to and including a position, and how many lines of the position after it.
 * `docs/http.md` has the rule.
 */
export const cursorSchema = z
  .string()
  .check(
    z.regex(
      /^\d{1,15}(?:\.\d{1,6})?$/,
      "a cursor is a position such as 12, or a position and lines such as 12.1",
    ),
  );
