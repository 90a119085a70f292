/** The run itself: its start and end, and facts about the whole request. */
import * as z from "zod/mini";
import { callIdSchema, conversationIdSchema, messageIdSchema, runIdSchema } from "../ids.js";
import { contextSchema } from "./contextEvents.js";
import { envelope, jsonObjectSchema, jsonSchema, usageSchema } from "./envelope.js";

/** `limit`: a turn, cost or call limit ended the run. */
export const runOutcomes = ["ok", "error", "cancelled", "timeout", "interrupted", "limit"] as const;
/** How a run ended. */
export type RunOutcome = (typeof runOutcomes)[number];

export const runStartedSchema = z.strictObject({
  ...envelope,
  type: z.literal("run.started"),
  conversationId: conversationIdSchema,
  model: z.string(),
  agent: z.exactOptional(z.string()),
  userId: z.exactOptional(z.string()),
  /** Set on a nested run: the run and the call that it works for. */
  parent: z.exactOptional(z.strictObject({ runId: runIdSchema, callId: callIdSchema })),
  /** The run of the same conversation that this one takes the place of, and of all that came after it. */
  replaces: z.exactOptional(runIdSchema),
  /** The span that the run works for, as W3C trace context writes it. */
  traceparent: z.exactOptional(
    z.string().check(z.regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)),
  ),
});

/** `usage` is the total over the run; `calls` counts every call that was opened. */
export const runClosedSchema = z.strictObject({
  ...envelope,
  type: z.literal("run.closed"),
  outcome: z.enum(runOutcomes),
  reason: z.exactOptional(z.string()),
  usage: usageSchema,
  calls: z.int().check(z.nonnegative()),
});

/**
 * Everything in the run waits for a person or a client: an approval, a question, a client that executes a call. No
 * process needs to own it until an answer comes.
 */
export const runParkedSchema = z.strictObject({ ...envelope, type: z.literal("run.parked") });

/** A process has the run again. */
export const runResumedSchema = z.strictObject({ ...envelope, type: z.literal("run.resumed") });

export const statusReportedSchema = z.strictObject({
  ...envelope,
  type: z.literal("status.reported"),
  status: z.string().check(z.minLength(1)),
  systemMessage: z.exactOptional(z.string()),
  userMessage: z.exactOptional(z.string()),
  metadata: z.exactOptional(jsonObjectSchema),
});

export const dataEmittedSchema = z.strictObject({
  ...envelope,
  type: z.literal("data.emitted"),
  data: jsonSchema,
});

export const errorReportedSchema = z.strictObject({
  ...envelope,
  type: z.literal("error.reported"),
  errorType: z.string().check(z.minLength(1)),
  message: z.string(),
  userMessage: z.exactOptional(z.string()),
  code: z.exactOptional(z.string()),
  details: z.exactOptional(jsonObjectSchema),
});

/** One model answer's tokens; `messageId` names the answer, `model` who gave it, `context` how full it is now. */
export const usageReportedSchema = z.strictObject({
  ...envelope,
  type: z.literal("usage.reported"),
  usage: usageSchema,
  model: z.exactOptional(z.string()),
  messageId: z.exactOptional(messageIdSchema),
  context: z.exactOptional(contextSchema),
});
