/** A tool call: opened once, closed once, and everything in between. */
import { z } from "zod";
import { approvalIdSchema, callIdSchema, messageIdSchema } from "../ids.js";
import {
  atSchema,
  countSchema,
  deltaEnvelope,
  envelope,
  imageSchema,
  jsonObjectSchema,
  jsonSchema,
  providerDataSchema,
  usageSchema,
} from "./envelope.js";

export const toolTypes = ["local", "external_mcp", "agent"] as const;
export type ToolType = (typeof toolTypes)[number];

export const callOutcomes = [
  "ok",
  "error",
  "denied",
  "cancelled",
  "timeout",
  "interrupted",
] as const;
export type CallOutcome = (typeof callOutcomes)[number];
const failureOutcomes = ["error", "denied", "cancelled", "timeout", "interrupted"] as const;
export type FailureOutcome = (typeof failureOutcomes)[number];

export const approvalOptionKinds = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
] as const;

export const locationSchema = z.strictObject({
  path: z.string(),
  line: countSchema.exactOptional(),
});
export type Location = z.infer<typeof locationSchema>;

/** `oldText` is absent for a new file. */
export const diffSchema = z.strictObject({
  path: z.string(),
  oldText: z.string().exactOptional(),
  newText: z.string(),
});
export type Diff = z.infer<typeof diffSchema>;

const call = { ...envelope, callId: callIdSchema };

/**
 * `openedBy: "user"` is a command or a tool that the person ran beside the model.
 * `kind` and `title` are the tool's own words for editors; `iteration` is the turn of the loop, from 0.
 */
export const callOpenedSchema = z.strictObject({
  ...call,
  type: z.literal("call.opened"),
  messageId: messageIdSchema,
  toolName: z.string().min(1),
  toolType: z.enum(toolTypes),
  openedBy: z.enum(["model", "user"]).exactOptional(),
  parentCallId: callIdSchema.exactOptional(),
  title: z.string().exactOptional(),
  kind: z.string().exactOptional(),
  iteration: countSchema.exactOptional(),
});

export const callInputDeltaSchema = z.strictObject({
  ...deltaEnvelope,
  callId: callIdSchema,
  type: z.literal("call.input.delta"),
});

/**
 * The truth about the arguments. `text` is the raw text; when it parsed it is left out where
 * `JSON.stringify(input)` gives the same.
 */
export const callInputClosedSchema = z.discriminatedUnion("parsed", [
  z.strictObject({
    ...call,
    type: z.literal("call.input.closed"),
    parsed: z.literal(true),
    input: jsonSchema,
    text: z.string().exactOptional(),
    title: z.string().exactOptional(),
    locations: z.array(locationSchema).readonly().exactOptional(),
    providerData: providerDataSchema.exactOptional(),
  }),
  z.strictObject({
    ...call,
    type: z.literal("call.input.closed"),
    parsed: z.literal(false),
    text: z.string(),
    problem: z.string(),
    providerData: providerDataSchema.exactOptional(),
  }),
]);

export const approvalOptionSchema = z.strictObject({
  optionId: z.string().min(1),
  name: z.string(),
  kind: z.enum(approvalOptionKinds),
  /** The exact rule that choosing this option saves. */
  rule: z.string().exactOptional(),
});
export type ApprovalOption = z.infer<typeof approvalOptionSchema>;

export const callApprovalAskedSchema = z.strictObject({
  ...call,
  type: z.literal("call.approval.asked"),
  approvalId: approvalIdSchema,
  options: z.array(approvalOptionSchema).readonly(),
  reason: z.string().exactOptional(),
  expiresAt: atSchema.exactOptional(),
});

/**
 * `answeredBy` is a person, a rule or a deadline; `rule` is the rule that was saved. `folderMark` is set on
 * one that holds for the session alone: it names the working folder it holds in without telling the path.
 */
export const callApprovalAnsweredSchema = z.strictObject({
  ...call,
  type: z.literal("call.approval.answered"),
  approvalId: approvalIdSchema,
  allowed: z.boolean(),
  optionId: z.string().exactOptional(),
  answeredBy: z.string().min(1),
  rule: z.string().exactOptional(),
  folderMark: z.string().exactOptional(),
  message: z.string().exactOptional(),
});

/** `delegatedTo` names a client that executes the call itself, until `expiresAt`. */
export const callRunStartedSchema = z.strictObject({
  ...call,
  type: z.literal("call.run.started"),
  delegatedTo: z.string().exactOptional(),
  expiresAt: atSchema.exactOptional(),
});

export const progressSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("message"),
    message: z.string(),
    percent: z.number().min(0).max(100).exactOptional(),
  }),
  z.strictObject({
    type: z.literal("step"),
    step: z.string().min(1),
    data: jsonObjectSchema.exactOptional(),
  }),
  /** Replaces an earlier preview. */
  z.strictObject({ type: z.literal("preview"), text: z.string() }),
  /** A piece of the output; the closing carries the whole. */
  z.strictObject({ type: z.literal("output"), offset: countSchema, text: z.string() }),
  z.strictObject({ type: z.literal("heartbeat") }),
  z.strictObject({ type: z.literal("title"), title: z.string() }),
  z.strictObject({ type: z.literal("locations"), locations: z.array(locationSchema).readonly() }),
  z.strictObject({ type: z.literal("terminal"), terminalId: z.string().min(1) }),
  /** The tool failed and is tried again; `attempt` counts from 1. */
  z.strictObject({
    type: z.literal("retry"),
    attempt: z.int().min(1),
    reason: z.string(),
  }),
]);
export type Progress = z.infer<typeof progressSchema>;

export const callRunProgressedSchema = z.strictObject({
  ...call,
  type: z.literal("call.run.progressed"),
  /** Set when several output pieces were merged: this event covers `from`..`seq`. */
  from: z.int().min(1).exactOptional(),
  progress: progressSchema,
});

const closing = {
  ...call,
  type: z.literal("call.closed"),
  /** One line for a collapsed row. */
  summary: z.string().exactOptional(),
  images: z.array(imageSchema).readonly().exactOptional(),
  diffs: z.array(diffSchema).readonly().exactOptional(),
  usage: usageSchema.exactOptional(),
  exitCode: z.int().exactOptional(),
  retries: countSchema.exactOptional(),
  /** Where the whole output is kept when `output` holds only its head and tail. */
  persistKey: z.string().exactOptional(),
  filePath: z.string().exactOptional(),
  metadata: jsonObjectSchema.exactOptional(),
};

export const callClosedSchema = z.discriminatedUnion("outcome", [
  z.strictObject({
    ...closing,
    outcome: z.literal("ok"),
    output: z.string(),
    outputType: z.enum(["text", "json"]).exactOptional(),
  }),
  z.strictObject({
    ...closing,
    outcome: z.enum(failureOutcomes),
    errorType: z.string().min(1),
    message: z.string(),
    /** What the tool had said before it failed. */
    output: z.string().exactOptional(),
  }),
]);
