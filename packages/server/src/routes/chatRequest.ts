/**
 * Parses the requests of the AI SDK's `useChat` and clients on top of it into a turn. Every field is used or refused: an
 * unknown field is an error that names it.
 */

import { isJson } from "@callboard/run-log";
import {
  callResultSchema,
  clientToolSchema,
  jsonObjectSchema,
  overridesSchema,
} from "@callboard/run-log/http";
import { withoutUndefined } from "@callboard/run-log/values";
import { callIdSchema } from "@callboard/run-log/writing";
import { z } from "zod";
import { refusedField } from "../http/problem.js";
import type { ClientTool } from "../runs/clientTools.js";
import { type Answers, type TurnRequest, whenBusyWords } from "../runs/openTurn.js";
import { dataUrlImage, type UserInput } from "../runs/userInput.js";

const partSchema = z.looseObject({
  type: z.string().max(200),
  text: z.string().optional(),
  url: z.string().optional(),
  mediaType: z.string().optional(),
  state: z.string().optional(),
  toolCallId: z.optional(callIdSchema),
  output: z.unknown().optional(),
  errorText: z.string().optional(),
  preliminary: z.boolean().optional(),
  approval: z
    .looseObject({
      id: z.string().max(512),
      approved: z.boolean().optional(),
      reason: z.string().max(10_000).optional(),
      optionId: z.string().max(1_000).optional(),
      /** Arguments that replace those of the question. */
      input: z.optional(jsonObjectSchema),
    })
    .optional(),
});
type Part = z.infer<typeof partSchema>;

const messageSchema = z.looseObject({
  id: z.string().min(1).max(512).optional(),
  role: z.enum(["system", "user", "assistant"]),
  parts: z.array(partSchema).default([]),
  metadata: z.looseObject({ waitsAt: z.int().positive().optional().catch(undefined) }).nullish(),
});
type Message = z.infer<typeof messageSchema>;

/** A tool of the page, as assistant-ui sends it. */
const pageToolSchema = z.looseObject({
  description: z.string().max(10_000).optional(),
  parameters: z.optional(jsonObjectSchema),
  inputSchema: z.optional(jsonObjectSchema),
});

const nothing = z.strictObject({}, { error: "it is not supported here: leave it out" }).nullish();

/** How a run may be bent, in the words that every wire shares. */
export const bendingFields = {
  prompt_id: z.string().max(1_000).optional(),
  model: z.string().max(1_000).optional().describe("One that the agent offers."),
  variables: z.optional(jsonObjectSchema),
  config_overrides: z.optional(overridesSchema),
  on_disconnect: z.enum(["continue", "cancel"]).default("continue"),
  when_busy: z.enum(whenBusyWords).default("supersede"),
};

/** For clients that give an edited message a new id. */
export const replacesSchema = z
  .string()
  .min(1)
  .max(512)
  .nullish()
  .describe("The id of the user's message that the new one replaces.");

export const chatSchema = z.strictObject({
  id: z.string().min(1).max(200),
  messages: z.array(messageSchema).min(1).max(10_000),
  trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
  messageId: z.string().max(512).nullish(),
  approvals: z
    .array(
      z.strictObject({
        approval_id: z.string().max(512),
        approved: z.boolean(),
        option_id: z.string().max(1_000).optional(),
        message: z.string().max(10_000).optional(),
      }),
    )
    .max(1_000)
    .default([])
    .describe("Answers of a page whose messages cannot hold them, as those of `ai` 5."),
  results: z
    .array(z.object({ ...callResultSchema.shape, call_id: callIdSchema }))
    .max(1_000)
    .default([])
    .describe(
      "Results of calls that are no tool parts of the message: questions of a tool or a nested agent.",
    ),
  ...bendingFields,
  replaces: replacesSchema,
  client_tools: z.array(clientToolSchema).max(64).default([]),
  tools: z.record(z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/), pageToolSchema).default({}),
  system: z.string().max(100_000).optional(),
  config: z.strictObject({ modelName: z.string().max(1_000).optional() }).nullish(),
  callSettings: nothing,
  metadata: nothing,
});
export type ChatBody = z.infer<typeof chatSchema>;

/** The tools that the page runs, in either form. */
export function pageToolsOf({ client_tools, tools }: ChatBody): readonly ClientTool[] {
  const named = Object.entries(tools).map(([name, tool]) => {
    const input_schema = tool.parameters ?? tool.inputSchema ?? { type: "object" };
    return clientToolSchema.parse({ name, description: tool.description, input_schema });
  });
  return [...client_tools, ...named];
}

export function chatTurnOf(
  body: ChatBody,
  conversationId: string,
  idempotencyKey: string | undefined,
): TurnRequest {
  const at = body.messages.length - 1;
  const last = body.messages[at];
  const said = last?.role === "user" ? chatInputOf(last, at) : undefined;
  const isAgain = body.trigger === "regenerate-message";
  if (isAgain && said === undefined) {
    throw refusedField("messages", "Send the messages up to the one that is to be answered again.");
  }
  if (said !== undefined && !isAgain && (body.messageId ?? said.id) !== said.id) {
    throw refusedField("messageId", "It is not the id of the last message.");
  }
  for (const field of ["approvals", "results"] as const) {
    if (said === undefined || body[field].length === 0) continue;
    throw refusedField(field, "Answers come without a new message: send them first.");
  }
  return {
    ask: {
      conversationId,
      ...bendingOf({ ...body, model: body.model ?? body.config?.modelName }),
      clientTools: pageToolsOf(body),
      toolsField: body.client_tools.length > 0 ? "client_tools" : "tools",
      instructions: joinedTexts([body.system, ...systemTexts(body.messages)]),
    },
    said,
    answers: answersIn(last, body),
    whenBusy: body.when_busy,
    ...withoutUndefined({ name: idempotencyKey }),
    isAgain: isAgain && idempotencyKey === undefined,
    replaces: replacementOf("replaces", body.replaces),
  };
}

type Bending = Pick<ChatBody, "prompt_id" | "model" | "variables" | "config_overrides">;

export function bendingOf({ prompt_id, model, variables = {}, config_overrides = {} }: Bending) {
  if (model !== undefined && config_overrides.model !== undefined) {
    throw refusedField(
      "model",
      "The model is named twice: leave one of model and config_overrides.model out.",
    );
  }
  const overrides = model === undefined ? config_overrides : { ...config_overrides, model };
  return { agentName: prompt_id, variables, overrides };
}

/** The replaced message, with the name of the field that contains it. */
export function replacementOf(
  field: string,
  messageId: string | null | undefined,
): TurnRequest["replaces"] {
  return messageId == null ? undefined : { field, messageId };
}

export function joinedTexts(texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text.trim() !== "");
  return said.length === 0 ? undefined : said.join("\n\n");
}

function systemTexts(messages: readonly Message[]): readonly string[] {
  return messages
    .filter(({ role }) => role === "system")
    .map(({ parts }) => parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n"));
}

function chatInputOf({ id, parts }: Message, at: number): UserInput & { readonly id: string } {
  const field = `messages.${at}`;
  if (id === undefined) throw refusedField(`${field}.id`, "A message needs an id.");
  const texts: string[] = [];
  const images = parts.flatMap((part, index) => {
    const place = `${field}.parts.${index}`;
    if (part.type === "text" && part.text !== undefined) texts.push(part.text);
    else if (part.type !== "file") throw notTaken(place, `parts of type ${part.type}`);
    else if (part.mediaType?.startsWith("image/") === false) {
      throw notTaken(place, `files of type ${part.mediaType}`);
    } else return [dataUrlImage(part.url ?? "", place)];
    return [];
  });
  const text = texts.join("\n");
  if (text === "" && images.length === 0) throw refusedField(field, "The message is empty.");
  return { id, text, images };
}

export function notTaken(field: string, what: string): Error {
  return refusedField(field, `A user's message takes text and images, no ${what}.`);
}

/** The answers of the page: approvals, the outputs of tools that it ran, and answers beside the messages. */
function answersIn(last: Message | undefined, beside: ChatBody): Answers {
  if (last?.role !== "assistant") return { approvals: [], results: [] };
  const { parts, metadata } = last;
  const answered = parts.flatMap(({ state, approval }) => {
    if (state !== "approval-responded" || approval?.approved === undefined) return [];
    const { id: approvalId, approved: isAllowed, reason: message, optionId, input } = approval;
    return [{ approvalId, isAllowed, message, optionId, input }];
  });
  return {
    approvals: [
      ...answered,
      ...beside.approvals.map(
        ({ approval_id: approvalId, approved: isAllowed, option_id, message }) => {
          return { approvalId, isAllowed, message, optionId: option_id };
        },
      ),
    ],
    results: [
      ...parts.flatMap((part) => {
        const result = partResultOf(part);
        return part.toolCallId && result ? [{ callId: part.toolCallId, result }] : [];
      }),
      ...beside.results.map(({ call_id: callId, ...result }) => ({ callId, result })),
    ],
    waitsAt: metadata?.waitsAt,
  };
}

type Result = Answers["results"][number]["result"];

function partResultOf({ state, output, errorText, preliminary }: Part): Result | undefined {
  if (state === "output-error") return { is_error: true, error_message: errorText };
  if (state !== "output-available" || preliminary === true) return undefined;
  return { is_error: false, output: isJson(output) ? output : null };
}
