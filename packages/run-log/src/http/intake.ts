/** What the routes of the intake take and answer. */
import * as z from "zod/mini";

const streamId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/));

export const intakeParams = z.object({ dialect: z.string() });

export const intakeQuery = z.object({
  /** Names the stream: parts of it that are sent again are passed over. */
  stream: streamId,
  /** How many lines of the stream stand before the first one of this body. Default 0. */
  from: z.optional(z.string().check(z.regex(/^\d{1,12}$/))),
  /** `true` with the last part: what is open is closed. */
  end: z.optional(z.enum(["true", "false"])),
});

/** `findings` counts what did not fit in a session; `closed_by_us` the calls that were left open. */
export const intakeSessionSchema = z.object({
  conversation_id: z.string(),
  session: z.string(),
  calls: z.int(),
  closed_by_us: z.int(),
  findings: z.int(),
});

export const intakeAnswerSchema = z.object({
  /** How many lines of the stream were taken so far: the next part begins here. */
  lines: z.int(),
  sessions: z.array(intakeSessionSchema),
  /** What did not fit in this part. */
  findings: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
});

export const otlpAnswerSchema = z.object({ partialSuccess: z.object({}) });

/** The session of the home that a conversation is kept in. */
export const sessionFileSchema = z.object({ session_id: z.string() });
