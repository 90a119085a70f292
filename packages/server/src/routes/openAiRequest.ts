/**
 * Parses the requests of OpenAI's protocols into a turn. `model` names an agent, and after an `@` a model that it
 * offers. The agent's configuration decides how the model answers: a request with other values than the defaults is
 * refused.
 */
import { createHash } from "node:crypto";
import type { CallId, Image } from "@callboard/run-log";
import { clientToolSchema, jsonObjectSchema } from "@callboard/run-log/http";
import { callIdSchema } from "@callboard/run-log/writing";
import { z } from "zod";
import { refusedField } from "../http/problem.js";
import { sortedJson } from "../http/sortedJson.js";
import type { ClientTool } from "../runs/clientTools.js";
import type { Answers } from "../runs/openTurn.js";
import { dataUrlImage, type UserInput } from "../runs/userInput.js";
import { joinedTexts, notTaken } from "./chatRequest.js";

const partSchema = z.looseObject({
  type: z.string().max(100),
  text: z.string().optional(),
  image_url: z
    .union([z.string(), z.looseObject({ url: z.string(), detail: z.string().optional() })])
    .optional(),
  detail: z.string().optional(),
});
type Part = z.infer<typeof partSchema>;
const contentSchema = z.union([z.string(), z.array(partSchema)]);

const functionSchema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  description: z.string().max(10_000).nullish(),
  parameters: z.optional(jsonObjectSchema),
  strict: z.boolean().nullish().describe("Arguments that do not fit are refused in either case."),
});

const decided = { error: "the agent's configuration decides it: leave it out" };
const defaults = {
  temperature: z.literal(1, decided).nullish(),
  top_p: z.literal(1, decided).nullish(),
};

const shared = {
  model: z.string().min(1).max(1_000),
  stream: z.boolean().nullish(),
  ...defaults,
  metadata: z.strictObject({ conversation_id: z.string().optional() }).nullish(),
  user: z.string().max(1_000).nullish().describe("Has no effect: the token identifies the caller."),
  store: z.literal(true, { error: "every run is stored here: leave it out" }).nullish(),
  tool_choice: z.literal("auto").nullish(),
  parallel_tool_calls: z.literal(true).nullish(),
};

export const completionSchema = z.strictObject({
  ...shared,
  messages: z
    .array(
      z.looseObject({
        role: z.enum(["system", "developer", "user", "assistant", "tool"]),
        content: contentSchema.nullish(),
        name: z.string().nullish(),
        tool_call_id: z.string().max(1_100).optional(),
        tool_calls: z.array(z.looseObject({ id: z.string().max(1_100) })).nullish(),
      }),
    )
    .min(1)
    .max(10_000),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z
    .array(z.strictObject({ type: z.literal("function"), function: functionSchema }))
    .max(64)
    .nullish(),
  n: z.literal(1).nullish(),
  presence_penalty: z.literal(0).nullish(),
  frequency_penalty: z.literal(0).nullish(),
});
export type CompletionBody = z.infer<typeof completionSchema>;

const itemSchema = z.looseObject({
  type: z.string().max(100).default("message"),
  role: z.enum(["system", "developer", "user", "assistant"]).optional(),
  content: contentSchema.optional(),
  call_id: z.string().max(1_100).optional(),
  output: contentSchema.optional(),
  approval_request_id: z.string().max(1_100).optional(),
  approve: z.boolean().optional(),
  reason: z.string().max(10_000).nullish(),
});

export const responseSchema = z.strictObject({
  ...shared,
  input: z.union([z.string().min(1), z.array(itemSchema).min(1).max(10_000)]),
  instructions: z.string().max(100_000).nullish(),
  previous_response_id: z
    .string()
    .regex(/^resp_[0-9a-f-]{36}$/)
    .nullish(),
  tools: z
    .array(functionSchema.extend({ type: z.literal("function") }))
    .max(64)
    .nullish(),
});
export type ResponseBody = z.infer<typeof responseSchema>;

/** A request in either protocol. */
export interface OpenAiRequest {
  readonly agentName: string;
  readonly model?: string | undefined;
  readonly said?: UserInput | undefined;
  readonly instructions?: string | undefined;
  readonly answers: Answers;
  readonly clientTools: readonly ClientTool[];
  /** A run of the conversation to continue, if one is named. */
  readonly runId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** The same for the same request. */
  readonly digest: string;
}

export function requestOfCompletion(body: CompletionBody): OpenAiRequest {
  const { messages, tools } = body;
  const at = messages.length - 1;
  const last = messages[at];
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role !== "tool") + 1)
    .flatMap(({ tool_call_id = "", content }) => openAiResultOf(tool_call_id, content ?? ""));
  const made = messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id));
  const isSaid = last?.role === "user";
  if (isSaid && last.name != null) {
    throw refusedField(`messages.${at}.name`, "Users have no names here: write it into the text.");
  }
  const named = namedIn([...(last?.tool_call_id ? [last.tool_call_id] : []), ...made.toReversed()]);
  const earlier = messages
    .slice(0, at)
    .filter(({ role }) => role === "user" || role === "assistant");
  // A named run has its history; a new one receives the earlier messages.
  const history = named === undefined && isSaid ? earlier : [];
  return {
    ...agentOf(body.model),
    said: isSaid ? openAiInputOf(last.content ?? "", `messages.${at}.content`) : undefined,
    instructions: joinedTexts([
      ...messages.filter(isInstruction).map(({ content }) => openAiTextOf(content ?? "")),
      historyOf(history.map(({ role, content }) => `${role}: ${openAiTextOf(content ?? "")}`)),
    ]),
    answers: { approvals: [], results },
    clientTools: (tools ?? []).map(({ function: tool }) => clientToolOf(tool)),
    runId: named,
    conversationId: body.metadata?.conversation_id,
    digest: digestOf(body),
  };
}

export function requestOfResponse(body: ResponseBody): OpenAiRequest {
  const items =
    typeof body.input === "string"
      ? [{ type: "message", role: "user" as const, content: body.input }]
      : body.input;
  const at = items.length - 1;
  const last = items[at];
  const isSaid = last?.type === "message" && last.role === "user";
  const known = [
    "message",
    "function_call",
    "function_call_output",
    "mcp_approval_response",
    "mcp_approval_request",
    "mcp_call",
    "reasoning",
  ];
  items.forEach(({ type }, index) => {
    if (!known.includes(type))
      throw refusedField(`input.${index}`, `Items of type ${type} are not taken.`);
  });
  const results = items.flatMap((item) =>
    "call_id" in item && item.type === "function_call_output"
      ? openAiResultOf(item.call_id ?? "", item.output ?? "")
      : [],
  );
  const approvals = items.flatMap((item) => {
    if (!("approve" in item) || item.type !== "mcp_approval_response") return [];
    const [, approvalId = ""] = splitId(item.approval_request_id ?? "");
    return [{ approvalId, isAllowed: item.approve === true, message: item.reason ?? undefined }];
  });
  const earlier = body.previous_response_id
    ? []
    : items.slice(0, at).filter(({ role }) => role === "user" || role === "assistant");
  return {
    ...agentOf(body.model),
    said: isSaid ? openAiInputOf(last.content ?? "", `input.${at}.content`) : undefined,
    instructions: joinedTexts([
      body.instructions ?? undefined,
      ...items.filter(isInstruction).map(({ content }) => openAiTextOf(content ?? "")),
      historyOf(earlier.map(({ role, content }) => `${role}: ${openAiTextOf(content ?? "")}`)),
    ]),
    answers: { approvals, results },
    clientTools: (body.tools ?? []).map((tool) => clientToolOf(tool)),
    runId: body.previous_response_id?.slice("resp_".length) ?? undefined,
    conversationId: body.metadata?.conversation_id,
    digest: digestOf(body),
  };
}

function isInstruction({ role }: { readonly role?: string | undefined }): boolean {
  return role === "system" || role === "developer";
}

function agentOf(name: string): { readonly agentName: string; readonly model?: string } {
  const at = name.indexOf("@");
  return at < 0 ? { agentName: name } : { agentName: name.slice(0, at), model: name.slice(at + 1) };
}

function historyOf(lines: readonly string[]): string | undefined {
  return lines.length === 0 ? undefined : `Earlier in this conversation:\n${lines.join("\n\n")}`;
}

function digestOf(body: object): string {
  return createHash("sha256").update(sortedJson(body)).digest("base64url");
}

function clientToolOf({
  name,
  description,
  parameters,
}: z.infer<typeof functionSchema>): ClientTool {
  const input_schema = parameters ?? { type: "object" };
  return clientToolSchema.parse({ name, description: description ?? "", input_schema });
}

/** `<run>.<id>`, as it was given out. */
function splitId(id: string): readonly [string, string] | readonly [] {
  const at = id.indexOf(".");
  return at < 0 ? [] : [id.slice(0, at), id.slice(at + 1)];
}

function namedIn(ids: readonly string[]): string | undefined {
  return ids.map((id) => splitId(id)[0]).find((runId) => runId !== undefined);
}

function openAiResultOf(
  id: string,
  content: string | readonly Part[],
): {
  readonly callId: CallId;
  readonly result: { readonly is_error: false; readonly output: string };
}[] {
  const callId = callIdSchema.safeParse(splitId(id)[1] ?? "");
  if (!callId.success) return [];
  return [{ callId: callId.data, result: { is_error: false, output: openAiTextOf(content) } }];
}

function openAiTextOf(content: string | readonly Part[]): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}

function openAiInputOf(content: string | readonly Part[], field: string): UserInput {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const images = parts.flatMap((part, index): Image[] => {
    if (part.type === "text" || part.type === "input_text") return [];
    const url = "image_url" in part ? part.image_url : undefined;
    if (url === undefined) throw notTaken(`${field}.${index}`, `parts of type ${part.type}`);
    const detail = "detail" in part ? part.detail : undefined;
    if ((detail ?? (typeof url === "string" ? undefined : url.detail) ?? "auto") !== "auto") {
      throw refusedField(`${field}.${index}.detail`, "Images are sent as they are: leave it out.");
    }
    return [dataUrlImage(typeof url === "string" ? url : url.url, `${field}.${index}`)];
  });
  const text = openAiTextOf(content);
  if (text === "" && images.length === 0) throw refusedField(field, "The message is empty.");
  return { text, images };
}
