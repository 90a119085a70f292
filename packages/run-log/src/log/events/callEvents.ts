/** A tool call: opened once, closed once, and everything in between. */
import * as z from "zod/mini";
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

/** Every source of a tool. */
export const toolTypes = ["local", "external_mcp", "agent"] as const;
/** Where a tool comes from. */
export type ToolType = (typeof toolTypes)[number];

/** Who opened a call: the model, the person beside it, or a limit of the run that asks for more. */
export const callOpeners = ["model", "user", "limit"] as const;
/** Who opened a call. */
export type CallOpener = (typeof callOpeners)[number];

/** Every outcome of a call. */
export const callOutcomes = [
  "ok",
  "error",
  "denied",
  "cancelled",
  "timeout",
  "interrupted",
] as const;
/** How a call ended. */
export type CallOutcome = (typeof callOutcomes)[number];
const failureOutcomes = ["error", "denied", "cancelled", "timeout", "interrupted"] as const;
/** Every outcome of a call but `ok`. */
export type FailureOutcome = (typeof failureOutcomes)[number];

export const approvalOptionKinds = [
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always",
] as const;

/** The schema of a location. */
export const locationSchema = z.strictObject({
  path: z.string(),
  line: z.exactOptional(countSchema),
});
/** A file that a call works on, with an optional line. */
export type Location = z.infer<typeof locationSchema>;

/** `oldText` is absent for a new file. */
export const diffSchema = z.strictObject({
  path: z.string(),
  oldText: z.exactOptional(z.string()),
  newText: z.string(),
});
/** A change of one file: its path, the old text and the new text. */
export type Diff = z.infer<typeof diffSchema>;

/** The error type of a command that ran to its end and exited with another code than 0. */
export const exitCodeError = "exit_code";

const verbSchema = z.string().check(z.minLength(1), z.maxLength(60));

/** How a surface draws an argument, whichever tool it belongs to. */
export const argumentForms = [
  "path",
  "command",
  "code",
  "line",
  "prose",
  "before",
  "after",
] as const;
/** How an argument is drawn. `before` and `after` are the two sides of a change. */
export type ArgumentForm = (typeof argumentForms)[number];

/** The schema of a call's display. */
export const callDisplaySchema = z.strictObject({
  verbs: z.exactOptional(
    z.strictObject({ doing: verbSchema, done: verbSchema, plain: verbSchema }),
  ),
  arguments: z.exactOptional(z.record(z.string(), z.enum(argumentForms))),
});
/**
 * How a tool wants its calls to be shown. `verbs` describe its activity: "Deploying" while it runs, "Deployed" when it
 * is done, "deploy" after "could not". `arguments` sets how each argument is drawn.
 */
export type CallDisplay = z.infer<typeof callDisplaySchema>;

const call = { ...envelope, callId: callIdSchema };

/**
 * `openedBy: "user"` is a command or a tool that the person ran beside the model. `openedBy: "limit"` is a limit of the
 * run that asks a person for more; the model does not see that call. `kind`, `title` and `display` are how the tool
 * wants to be shown; `iteration` is the turn of the loop, from 0.
 */
export const callOpenedSchema = z.strictObject({
  ...call,
  type: z.literal("call.opened"),
  messageId: messageIdSchema,
  toolName: z.string().check(z.minLength(1)),
  toolType: z.enum(toolTypes),
  openedBy: z.exactOptional(z.enum(callOpeners)),
  parentCallId: z.exactOptional(callIdSchema),
  title: z.exactOptional(z.string()),
  kind: z.exactOptional(z.string()),
  display: z.exactOptional(callDisplaySchema),
  iteration: z.exactOptional(countSchema),
});

export const callInputDeltaSchema = z.strictObject({
  ...deltaEnvelope,
  callId: callIdSchema,
  type: z.literal("call.input.delta"),
});

/** The authoritative arguments. `text` is the raw text; if it parsed, it is omitted when `JSON.stringify(input)` gives the same. */
export const callInputClosedSchema = z.discriminatedUnion("parsed", [
  z.strictObject({
    ...call,
    type: z.literal("call.input.closed"),
    parsed: z.literal(true),
    input: jsonSchema,
    text: z.exactOptional(z.string()),
    title: z.exactOptional(z.string()),
    locations: z.exactOptional(z.readonly(z.array(locationSchema))),
    providerData: z.exactOptional(providerDataSchema),
  }),
  z.strictObject({
    ...call,
    type: z.literal("call.input.closed"),
    parsed: z.literal(false),
    text: z.string(),
    problem: z.string(),
    providerData: z.exactOptional(providerDataSchema),
  }),
]);

/**
 * A person or a policy replaced the arguments that the model sent, before the call started: it runs
 * with `input`. `amendedBy` is who answered the approval, or the policy that decided. `title` and
 * `locations` are those of the new arguments.
 */
export const callInputAmendedSchema = z.strictObject({
  ...call,
  type: z.literal("call.input.amended"),
  input: jsonSchema,
  amendedBy: z.string().check(z.minLength(1)),
  title: z.exactOptional(z.string()),
  locations: z.exactOptional(z.readonly(z.array(locationSchema))),
});

export const approvalOptionSchema = z.strictObject({
  optionId: z.string().check(z.minLength(1)),
  name: z.string(),
  kind: z.enum(approvalOptionKinds),
  /** The exact rule that choosing this option saves. */
  rule: z.exactOptional(z.string()),
});
/** One choice that a person has when a call needs approval. */
export type ApprovalOption = z.infer<typeof approvalOptionSchema>;

export const callApprovalAskedSchema = z.strictObject({
  ...call,
  type: z.literal("call.approval.asked"),
  approvalId: approvalIdSchema,
  options: z.readonly(z.array(approvalOptionSchema)),
  reason: z.exactOptional(z.string()),
  expiresAt: z.exactOptional(atSchema),
});

/**
 * `answeredBy` is a person, a rule or a deadline; `rule` is the saved rule. `folderMark` is set on a rule that applies
 * to the session alone: it identifies its working folder without the path.
 */
export const callApprovalAnsweredSchema = z.strictObject({
  ...call,
  type: z.literal("call.approval.answered"),
  approvalId: approvalIdSchema,
  allowed: z.boolean(),
  optionId: z.exactOptional(z.string()),
  answeredBy: z.string().check(z.minLength(1)),
  rule: z.exactOptional(z.string()),
  folderMark: z.exactOptional(z.string()),
  message: z.exactOptional(z.string()),
});

/** What happens to a call whose process ended in the middle. Without a policy it is closed as interrupted. */
export const interruptedPolicies = ["ask", "retry", "reconcile"] as const;
/** What happens to a started call whose process ended: ask, retry or reconcile. */
export type InterruptedPolicy = (typeof interruptedPolicies)[number];

/**
 * `delegatedTo` names a client that executes the call itself, until `expiresAt`. A call with `onInterrupted` survives
 * its process: the process that resumes the run asks, retries, or finds out what the call did. A `detached` call runs in
 * the background: the model gets an answer at once, and the result when the call ends.
 */
export const callRunStartedSchema = z.strictObject({
  ...call,
  type: z.literal("call.run.started"),
  delegatedTo: z.exactOptional(z.string()),
  expiresAt: z.exactOptional(atSchema),
  onInterrupted: z.exactOptional(z.enum(interruptedPolicies)),
  detached: z.exactOptional(z.literal(true)),
});

export const progressSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("message"),
    message: z.string(),
    percent: z.exactOptional(z.number().check(z.minimum(0)).check(z.maximum(100))),
  }),
  z.strictObject({
    type: z.literal("step"),
    step: z.string().check(z.minLength(1)),
    data: z.exactOptional(jsonObjectSchema),
  }),
  /** Replaces an earlier preview. */
  z.strictObject({ type: z.literal("preview"), text: z.string() }),
  /** A piece of the output; the closing carries the whole. */
  z.strictObject({ type: z.literal("output"), offset: countSchema, text: z.string() }),
  /** The call has not ended. `silentMs`: the time since the last report of its tool, or since it started. */
  z.strictObject({ type: z.literal("heartbeat"), silentMs: z.exactOptional(countSchema) }),
  z.strictObject({ type: z.literal("title"), title: z.string() }),
  z.strictObject({ type: z.literal("locations"), locations: z.readonly(z.array(locationSchema)) }),
  z.strictObject({ type: z.literal("terminal"), terminalId: z.string().check(z.minLength(1)) }),
  /** The tool failed and is retried; `attempt` counts from 1. */
  z.strictObject({
    type: z.literal("retry"),
    attempt: z.int().check(z.minimum(1)),
    reason: z.string(),
  }),
]);
/** What a running call reports, for example a piece of output, a message with a percentage, or a retry. */
export type Progress = z.infer<typeof progressSchema>;

export const callRunProgressedSchema = z.strictObject({
  ...call,
  type: z.literal("call.run.progressed"),
  /** Set when several output pieces were merged: this event covers `from`..`seq`. */
  from: z.exactOptional(z.int().check(z.minimum(1))),
  progress: progressSchema,
});

const details = {
  /** One line for a collapsed row. */
  summary: z.exactOptional(z.string()),
  images: z.exactOptional(z.readonly(z.array(imageSchema))),
  diffs: z.exactOptional(z.readonly(z.array(diffSchema))),
  usage: z.exactOptional(usageSchema),
  exitCode: z.exactOptional(z.int()),
  /** Where the whole output is kept when `output` holds only its head and tail. */
  persistKey: z.exactOptional(z.string()),
  filePath: z.exactOptional(z.string()),
  metadata: z.exactOptional(jsonObjectSchema),
};

/** What a tool may return in addition to its output, in the form of the closing of its call. */
export const callDetailsSchema = z.strictObject(details);
/** What a tool can return in addition to its output: a summary, images, diffs, usage, an exit code. */
export type CallDetails = z.infer<typeof callDetailsSchema>;

const closing = {
  ...call,
  ...details,
  type: z.literal("call.closed"),
  retries: z.exactOptional(countSchema),
};

export const callClosedSchema = z.discriminatedUnion("outcome", [
  z.strictObject({
    ...closing,
    outcome: z.literal("ok"),
    output: z.string(),
    outputType: z.exactOptional(z.enum(["text", "json"])),
  }),
  z.strictObject({
    ...closing,
    outcome: z.enum(failureOutcomes),
    errorType: z.string().check(z.minLength(1)),
    message: z.string(),
    /** The output of the tool before it failed. */
    output: z.exactOptional(z.string()),
  }),
]);
