/**
 * Parses the requests of AG-UI clients into a turn. Every field is used or refused; the fields of `forwardedProps` are
 * the run options that every wire has.
 */

import type { Image } from "@callboard/run-log";
import { clientToolSchema, jsonObjectSchema } from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { callIdSchema } from "@callboard/run-log/writing";
import { z } from "zod";
import { refusedField } from "../http/problem.js";
import type { Answers, TurnRequest } from "../runs/openTurn.js";
import { dataUrlImage, type UserInput } from "../runs/userInput.js";
import {
  bendingFields,
  bendingOf,
  joinedTexts,
  notTaken,
  replacementOf,
  replacesSchema,
} from "./chatRequest.js";

const partSchema = z.looseObject({
  type: z.string().max(200),
  text: z.string().optional(),
  /** AG-UI 1.0. */
  source: z
    .looseObject({ type: z.string(), value: z.string(), mimeType: z.string().optional() })
    .optional(),
  /** AG-UI 0.0. */
  mimeType: z.string().optional(),
  data: z.string().optional(),
  url: z.string().optional(),
});
type Part = z.infer<typeof partSchema>;

const messageSchema = z.looseObject({
  id: z.string().min(1).max(512).optional(),
  role: z.string().max(100),
  content: z.union([z.string(), z.array(partSchema)]).optional(),
  toolCallId: z.optional(callIdSchema),
  error: z.string().max(100_000).optional(),
});
type Message = z.infer<typeof messageSchema>;

const noState = z
  .custom<unknown>(
    (value) => value === undefined || value === null || isEmptyObject(value),
    "this server keeps no state between runs: leave it out",
  )
  .optional();

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

export const runInputSchema = z.strictObject({
  threadId: z.string().min(1).max(200),
  runId: z.string().min(1).max(200),
  parentRunId: z.string().max(200).nullish(),
  protocolVersion: z.string().max(20).nullish(),
  state: noState,
  messages: z.array(messageSchema).max(10_000),
  tools: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().max(10_000).default(""),
        parameters: z.optional(jsonObjectSchema),
      }),
    )
    .max(64)
    .default([]),
  context: z
    .array(z.object({ description: z.string().max(10_000), value: z.string().max(100_000) }))
    .max(1_000)
    .default([]),
  forwardedProps: z
    .strictObject({
      ...bendingFields,
      replaces: replacesSchema,
      wait: z
        .boolean()
        .exactOptional()
        .describe(
          "For `connect`, where a run idles: only what comes when a call in the background has ended.",
        ),
    })
    .nullish(),
  resume: z
    .array(
      z.looseObject({
        interruptId: z.string().max(512),
        status: z.enum(["resolved", "cancelled"]),
        payload: z.unknown().optional(),
      }),
    )
    .max(1_000)
    .nullish(),
});
export type RunInput = z.infer<typeof runInputSchema>;

export function agUiTurnOf(
  body: RunInput,
  conversationId: string,
  agentName: string | undefined,
): TurnRequest {
  const props = body.forwardedProps ?? { on_disconnect: "continue", when_busy: "supersede" };
  if (agentName !== undefined && props.prompt_id !== undefined && props.prompt_id !== agentName) {
    throw refusedField("forwardedProps.prompt_id", "The address names another agent.");
  }
  if (body.forwardedProps?.wait === true) {
    throw refusedField("forwardedProps.wait", "Only the address of `connect` waits.");
  }
  const at = body.messages.length - 1;
  const last = body.messages[at];
  const answers = answersIn(body);
  const isAnswer = (body.resume?.length ?? 0) > 0;
  const said = last?.role === "user" && !isAnswer ? agUiInputOf(last, at, body.runId) : undefined;
  if (said === undefined && answers.approvals.length === 0 && answers.results.length === 0) {
    throw refusedField("messages", "There is no new message of the user, and no answer.");
  }
  return {
    ask: {
      conversationId,
      ...bendingOf({ ...props, prompt_id: props.prompt_id ?? agentName }),
      clientTools: body.tools.map(({ name, description, parameters }) =>
        clientToolSchema.parse({
          name,
          description,
          input_schema: parameters ?? { type: "object" },
        }),
      ),
      toolsField: "tools",
      instructions: instructionsIn(body),
    },
    said,
    answers,
    whenBusy: props.when_busy,
    name: body.runId,
    replaces: replacementOf("forwardedProps.replaces", body.forwardedProps?.replaces),
  };
}

function instructionsIn({ messages, context }: RunInput): string | undefined {
  const told = messages
    .filter(({ role }) => role === "system" || role === "developer")
    .map(({ content = "" }) => agUiTextOf(content));
  const facts = context.map(({ description, value }) => `${description}:\n${value}`);
  return joinedTexts([...told, ...facts]);
}

function agUiInputOf(
  { id, content = "" }: Message,
  at: number,
  runId: string,
): UserInput & { readonly id: string } {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const field = `messages.${at}`;
  const images = parts.flatMap((part, index) =>
    part.type === "text" ? [] : [imageOf(part, `${field}.content.${index}`)],
  );
  const text = agUiTextOf(content);
  if (text === "" && images.length === 0) throw refusedField(field, "The message is empty.");
  return { id: id ?? runId, text, images };
}

function agUiTextOf(content: string | readonly Part[]): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ type, text }) => (type === "text" && text ? [text] : [])).join("\n");
}

function imageOf(part: Part, field: string): Image {
  const { source, mimeType, data, url } = part;
  if (part.type === "image" && source?.type === "data") {
    return { data: source.value, mediaType: source.mimeType ?? "image/png" };
  }
  if (part.type === "image" && source) return dataUrlImage(source.value, `${field}.source`);
  if (part.type !== "binary" || mimeType?.startsWith("image/") !== true) {
    throw notTaken(field, `parts of type ${mimeType ?? part.type}`);
  }
  return data === undefined ? dataUrlImage(url ?? "", field) : { data, mediaType: mimeType };
}

function answersIn({ resume, messages }: RunInput): Answers {
  return {
    approvals: (resume ?? []).map(({ interruptId: approvalId, status, payload }, index) => {
      if (status === "cancelled") return { approvalId, isAllowed: false };
      return { approvalId, ...interruptAnswerOf(payload, `resume.${index}.payload`) };
    }),
    results: toolMessagesAtEnd(messages).flatMap(({ toolCallId, content = "", error }) => {
      if (toolCallId === undefined) return [];
      const output = agUiTextOf(content);
      const failure = withoutUndefined({ error_message: error });
      return [
        { callId: toolCallId, result: { is_error: error !== undefined, output, ...failure } },
      ];
    }),
  };
}

function interruptAnswerOf(
  payload: unknown,
  field: string,
): Omit<Answers["approvals"][number], "approvalId"> {
  if (typeof payload === "boolean") return { isAllowed: payload };
  const fields = answerSchema.safeParse(payload);
  if (!fields.success) {
    throw refusedField(field, "Answer with { approved: true } or { approved: false }.");
  }
  const { approved, option_id: optionId, message, input } = fields.data;
  return { isAllowed: approved, optionId, message, input };
}

const answerSchema = z.strictObject({
  approved: z.boolean(),
  option_id: z.string().max(1_000).optional(),
  message: z.string().max(10_000).optional(),
  input: z.optional(jsonObjectSchema),
});

/** The results that the client has added since the last turn. */
function toolMessagesAtEnd(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role !== "tool");
  return messages.slice(at + 1);
}
