/** The requests and answers of the intake routes. */
import * as z from "zod/mini";

const streamId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,95}$/));

export const intakeParams = z.object({ dialect: z.string() });

export const intakeQuery = z.object({
  /** Names the stream: parts of it that are sent again are passed over. */
  stream: streamId,
  /** How many lines of the stream come before the first one of this body. Default 0. */
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
  /** How many lines of the stream were read so far: the next part starts here. */
  lines: z.int(),
  sessions: z.array(intakeSessionSchema),
  /** The lines of this part that did not fit. */
  findings: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
});

export const otlpAnswerSchema = z.object({ partialSuccess: z.object({}) });

/** The session of the home that a conversation is kept in. */
export const sessionFileSchema = z.object({ session_id: z.string() });
