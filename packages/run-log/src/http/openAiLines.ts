/**
 * What this server sends to clients of OpenAI's protocols: the chunks of a chat completion, the events of a response,
 * and the same as one answer. OpenAI's own packages have more fields. A page does not load these schemas.
 */
import * as z from "zod/mini";
import { count, line, text } from "./foreignLines.js";

const nothing = z.null();

const chatUsageSchema = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
});

const functionSchema = z.looseObject({ name: text, arguments: text });
const toolCallSchema = z.looseObject({
  id: text,
  type: z.literal("function"),
  function: functionSchema,
});
const finishReasonSchema = z.enum(["stop", "length", "tool_calls"]);
const completion = { id: text, created: count, model: text };

/** The end of a run that failed, instead of a chunk or of the completion. */
export const openAiErrorSchema = z.looseObject({
  error: z.looseObject({ message: text, type: text, code: text }),
});

/** One chunk of a chat completion. */
export const openAiChunkSchema = z.looseObject({
  ...completion,
  object: z.literal("chat.completion.chunk"),
  choices: z.array(
    z.looseObject({
      index: z.literal(0),
      delta: z.looseObject({
        role: z.exactOptional(z.literal("assistant")),
        content: z.exactOptional(text),
        reasoning_content: z.exactOptional(text),
        tool_calls: z.exactOptional(
          z.array(z.looseObject({ ...toolCallSchema.shape, index: count })),
        ),
      }),
      finish_reason: z.nullable(finishReasonSchema),
    }),
  ),
  usage: z.exactOptional(chatUsageSchema),
  /** The activity of a call of the agent's own tools. */
  callboard: z.exactOptional(z.looseObject({ call_id: text, tool_name: text, status: text })),
});

export const openAiChatLineSchema = z.union([openAiChunkSchema, openAiErrorSchema]);

/** A chat completion as one answer. */
export const openAiCompletionSchema = z.looseObject({
  ...completion,
  object: z.literal("chat.completion"),
  choices: z.array(
    z.looseObject({
      index: z.literal(0),
      message: z.looseObject({
        role: z.literal("assistant"),
        content: z.nullable(text),
        refusal: nothing,
        reasoning_content: z.exactOptional(text),
        tool_calls: z.exactOptional(z.array(toolCallSchema)),
      }),
      finish_reason: finishReasonSchema,
      logprobs: nothing,
    }),
  ),
  usage: z.exactOptional(chatUsageSchema),
});

const summaryPartSchema = line("summary_text", { text });
const textPartSchema = line("output_text", { text, annotations: z.array(z.unknown()) });
const itemStatusSchema = z.enum(["in_progress", "completed", "failed"]);
const ofCall = { id: text, name: text, arguments: text };
const ofServer = { ...ofCall, server_label: z.literal("callboard") };

/** A text, a reasoning, a call of the agent's own, a call for the client, or a question. */
const outputItemSchema = z.discriminatedUnion("type", [
  line("message", {
    id: text,
    role: z.literal("assistant"),
    status: itemStatusSchema,
    content: z.array(textPartSchema),
  }),
  line("reasoning", { id: text, summary: z.array(summaryPartSchema) }),
  line("mcp_call", {
    ...ofServer,
    output: z.nullable(text),
    error: z.nullable(text),
    status: itemStatusSchema,
  }),
  line("mcp_approval_request", ofServer),
  line("function_call", { ...ofCall, call_id: text, status: itemStatusSchema }),
]);

/** A response: one turn of a run. */
export const openAiResponseSchema = z.looseObject({
  id: text,
  object: z.literal("response"),
  created_at: count,
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  model: text,
  output: z.array(outputItemSchema),
  error: z.nullable(z.looseObject({ code: text, message: text })),
  incomplete_details: z.nullable(z.looseObject({ reason: text })),
  usage: z.nullable(
    z.looseObject({ input_tokens: count, output_tokens: count, total_tokens: count }),
  ),
});

const numbered = { sequence_number: count };
const whole = { ...numbered, response: openAiResponseSchema };
const ofItem = { ...numbered, output_index: count };
const inItem = { ...ofItem, item_id: text };
const inText = { ...inItem, content_index: count };
const inSummary = { ...inItem, summary_index: count };

/** One event of a response's stream. */
export const openAiResponseLineSchema = z.discriminatedUnion("type", [
  line("response.created", whole),
  line("response.in_progress", whole),
  line("response.completed", whole),
  line("response.incomplete", whole),
  line("response.failed", whole),
  line("response.output_item.added", { ...ofItem, item: outputItemSchema }),
  line("response.output_item.done", { ...ofItem, item: outputItemSchema }),
  line("response.content_part.added", { ...inText, part: textPartSchema }),
  line("response.content_part.done", { ...inText, part: textPartSchema }),
  line("response.output_text.delta", { ...inText, delta: text }),
  line("response.output_text.done", { ...inText, text }),
  line("response.reasoning_summary_part.added", { ...inSummary, part: summaryPartSchema }),
  line("response.reasoning_summary_part.done", { ...inSummary, part: summaryPartSchema }),
  line("response.reasoning_summary_text.delta", { ...inSummary, delta: text }),
  line("response.reasoning_summary_text.done", { ...inSummary, text }),
]);

/** The agents, as models. */
export const openAiModelsSchema = z.looseObject({
  object: z.literal("list"),
  data: z.array(
    z.looseObject({ id: text, object: z.literal("model"), created: count, owned_by: text }),
  ),
});
