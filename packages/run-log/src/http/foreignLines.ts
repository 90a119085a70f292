/**
 * The lines of the streams in other people's dialects: one union for each, by `type`. They describe what this server
 * sends; the dialects' own packages have more. A page does not load these.
 */
import * as z from "zod/mini";
import { jsonSchema } from "../log/events/envelope.js";

export const text = z.string();
const optionalText = z.exactOptional(z.string());
export const count = z.int().check(z.minimum(0));

/** A member of the union: fields that a newer server adds are let through. */
export function line<Type extends string, Shape extends z.core.$ZodLooseShape>(
  type: Type,
  shape: Shape,
) {
  return z.looseObject({ type: z.literal(type), ...shape });
}

const anyFields = z.looseObject({});
const ofTool = { toolCallId: text };
const isDynamic = { dynamic: z.exactOptional(z.literal(true)) };
const withPart = { id: text };
const transient = { transient: z.literal(true) };

/** A chunk of the AI SDK's UI message stream, as `ai` 5, 6 and 7 read it. */
export const uiMessageChunkSchema = z.discriminatedUnion("type", [
  line("start", { messageId: optionalText, messageMetadata: z.exactOptional(anyFields) }),
  line("message-metadata", { messageMetadata: anyFields }),
  line("start-step", {}),
  line("finish-step", {}),
  line("text-start", withPart),
  line("text-delta", { ...withPart, delta: text }),
  line("text-end", withPart),
  line("reasoning-start", withPart),
  line("reasoning-delta", { ...withPart, delta: text }),
  line("reasoning-end", withPart),
  line("file", { url: text, mediaType: text }),
  line("tool-input-start", { ...ofTool, ...isDynamic, toolName: text, title: optionalText }),
  line("tool-input-delta", { ...ofTool, inputTextDelta: text }),
  line("tool-input-available", { ...ofTool, ...isDynamic, toolName: text, input: jsonSchema }),
  line("tool-input-error", {
    ...ofTool,
    ...isDynamic,
    toolName: text,
    input: jsonSchema,
    errorText: text,
  }),
  line("tool-approval-request", { ...ofTool, approvalId: text }),
  line("tool-output-available", {
    ...ofTool,
    ...isDynamic,
    output: jsonSchema,
    preliminary: z.exactOptional(z.literal(true)),
  }),
  line("tool-output-error", { ...ofTool, ...isDynamic, errorText: text }),
  line("tool-output-denied", ofTool),
  line("data-status", { data: z.looseObject({ status: text }), ...transient }),
  line("data-emitted", { data: jsonSchema }),
  line("data-queue", { ...withPart, data: anyFields }),
  line("data-compaction", { data: z.looseObject({ summary: text }) }),
  line("data-hook", { data: z.looseObject({ hook: text, moment: text }) }),
  line("data-error", { data: z.looseObject({ errorType: text, message: text }) }),
  line("data-approval", {
    ...withPart,
    data: z.looseObject({ ...ofTool, approvalId: text, approved: z.boolean(), answeredBy: text }),
  }),
  line("data-amended-input", {
    ...withPart,
    data: z.looseObject({ ...ofTool, input: jsonSchema, amendedBy: text }),
  }),
  line("data-call-progress", {
    data: z.looseObject({ ...ofTool, progress: anyFields }),
    ...transient,
  }),
  line("data-call-output", {
    data: z.looseObject({ ...ofTool, offset: count, delta: text }),
    ...transient,
  }),
  line("data-call-diffs", {
    ...withPart,
    data: z.looseObject({ ...ofTool, diffs: z.array(anyFields) }),
  }),
  line("data-nested-call", {
    ...withPart,
    data: z.looseObject({ ...ofTool, parentToolCallId: text, toolName: text, state: text }),
  }),
  line("data-background-call", {
    ...withPart,
    data: z.looseObject({ ...ofTool, toolName: text, state: text }),
  }),
  line("data-nested-text", {
    ...withPart,
    data: z.looseObject({ parentToolCallId: text, messageId: text, role: text, kind: text, text }),
  }),
  line("data-nested-text-delta", {
    data: z.looseObject({ parentToolCallId: text, id: text, offset: count, delta: text }),
    ...transient,
  }),
  line("data-nested-image", {
    ...withPart,
    data: z.looseObject({ parentToolCallId: text, image: anyFields }),
  }),
  line("finish", { finishReason: optionalText }),
  line("abort", { reason: optionalText }),
  line("error", { errorText: text }),
]);

const ofRun = { threadId: text, runId: text };
const ofMessage = { messageId: text };
const attributed = { subagentRunId: optionalText };
const content = z.union([z.string(), z.array(z.looseObject({ type: text }))]);

/** An event of AG-UI. A client of 0.0 is sent those of 1.0 that it knows. */
export const agUiEventSchema = z.discriminatedUnion("type", [
  line("RUN_STARTED", ofRun),
  line("RUN_FINISHED", { ...ofRun, outcome: z.exactOptional(z.looseObject({ type: text })) }),
  line("RUN_ERROR", { message: text, code: optionalText }),
  line("MESSAGES_SNAPSHOT", { messages: z.array(z.looseObject({ id: text, role: text })) }),
  line("TEXT_MESSAGE_START", { ...ofMessage, ...attributed, role: text }),
  line("TEXT_MESSAGE_CONTENT", { ...ofMessage, ...attributed, delta: text }),
  line("TEXT_MESSAGE_END", { ...ofMessage, ...attributed }),
  line("REASONING_START", { ...ofMessage, ...attributed }),
  line("REASONING_MESSAGE_START", { ...ofMessage, ...attributed, role: text }),
  line("REASONING_MESSAGE_CONTENT", { ...ofMessage, ...attributed, delta: text }),
  line("REASONING_MESSAGE_END", { ...ofMessage, ...attributed }),
  line("REASONING_END", { ...ofMessage, ...attributed }),
  line("REASONING_ENCRYPTED_VALUE", {
    ...attributed,
    subtype: text,
    entityId: text,
    encryptedValue: text,
  }),
  line("TOOL_CALL_START", {
    ...ofTool,
    ...attributed,
    toolCallName: text,
    parentMessageId: optionalText,
  }),
  line("TOOL_CALL_ARGS", { ...ofTool, ...attributed, delta: text }),
  line("TOOL_CALL_END", { ...ofTool, ...attributed }),
  line("TOOL_CALL_RESULT", { ...ofTool, ...ofMessage, ...attributed, content, role: text }),
  line("SUBAGENT_STARTED", { subagentRunId: text, name: text, parentToolCallId: text }),
  line("SUBAGENT_FINISHED", { subagentRunId: text }),
  line("SUBAGENT_ERROR", { subagentRunId: text, message: text, code: text }),
  line("CUSTOM", { ...attributed, name: text, value: jsonSchema }),
]);
