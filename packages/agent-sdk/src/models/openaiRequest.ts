/** A prompt and its settings as a chat-completions request. Pure. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolChoice,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { isJsonList, type JsonObject, type JsonValue } from "@callboard/run-log";
import { mistralMessages } from "./mistralMessages.js";
import { isMarkedForCache, withCacheMarks } from "./promptCache.js";
import {
  base64Of,
  defined,
  outputTextOf,
  ownOptions,
  pictureIn,
  pictureOf,
} from "./promptContent.js";

export interface OpenaiRequestOptions {
  readonly modelId: string;
  readonly provider: string;
  readonly isMistral: boolean;
  /** The name of the field for the model's limit: OpenAI's own models refuse the older one. */
  readonly limitField: "max_tokens" | "max_completion_tokens";
  readonly stream: boolean;
  readonly asksForUsage: boolean;
}

export function openaiRequest(
  options: LanguageModelV3CallOptions,
  { modelId, provider, limitField, stream, asksForUsage, isMistral }: OpenaiRequestOptions,
): JsonObject {
  const tools = options.tools?.flatMap(toolOf) ?? [];
  const plain = openaiMessages(options.prompt);
  const messages = isMarkedForCache(provider, modelId) ? withCacheMarks(plain) : plain;
  return defined({
    model: modelId,
    messages: isMistral ? mistralMessages(messages) : messages,
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(options.toolChoice),
    [limitField]: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    presence_penalty: options.presencePenalty,
    frequency_penalty: options.frequencyPenalty,
    stop: options.stopSequences,
    seed: options.seed,
    response_format: options.responseFormat?.type === "json" ? { type: "json_object" } : undefined,
    ...ownOptions(options.providerOptions, "openai"),
    ...(provider === "openai" ? {} : ownOptions(options.providerOptions, provider)),
    stream: stream ? true : undefined,
    stream_options: stream && asksForUsage ? { include_usage: true } : undefined,
  });
}

type Tool = NonNullable<LanguageModelV3CallOptions["tools"]>[number];

function toolOf(tool: Tool): readonly JsonObject[] {
  if (tool.type !== "function") return [];
  const { name, description, inputSchema, strict } = tool;
  return [
    { type: "function", function: defined({ name, description, parameters: inputSchema, strict }) },
  ];
}

function toolChoiceOf(choice: LanguageModelV3ToolChoice | undefined): JsonValue | undefined {
  if (choice === undefined) return undefined;
  return choice.type === "tool"
    ? { type: "function", function: { name: choice.toolName } }
    : choice.type;
}

export function openaiMessages(prompt: LanguageModelV3Prompt): readonly JsonObject[] {
  const wantsReasoning = prompt.some(
    ({ role, content }) => role === "assistant" && content.some(wantedBack),
  );
  return prompt.flatMap((message) => openaiMessagesOf(message, wantsReasoning));
}

function openaiMessagesOf(
  message: LanguageModelV3Message,
  wantsReasoning: boolean,
): readonly JsonObject[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return [{ role: "user", content: userContent(message.content) }];
    case "assistant":
      return [assistantMessage(message.content, wantsReasoning)];
    case "tool":
      return toolMessages(message.content);
    default:
      return message satisfies never;
  }
}

type Content<Role extends "user" | "assistant" | "tool"> = Extract<
  LanguageModelV3Message,
  { role: Role }
>["content"];

function userContent(content: Content<"user">): JsonValue {
  const [first] = content;
  if (content.length === 1 && first?.type === "text") return first.text;
  return content.map((part): JsonObject => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.mediaType.startsWith("image/"))
      return imagePart(pictureOf(part.data, part.mediaType).url);
    if (part.data instanceof URL) return { type: "text", text: part.data.href };
    const data = base64Of(part.data);
    if (part.mediaType.startsWith("text/") && typeof part.data === "string") {
      return { type: "text", text: Buffer.from(data, "base64").toString("utf8") };
    }
    const filename = part.filename ?? "file";
    return { type: "file", file: { filename, file_data: `data:${part.mediaType};base64,${data}` } };
  });
}

function imagePart(url: string): JsonObject {
  return { type: "image_url", image_url: { url } };
}

/** Some models refuse a prompt without the reasoning that they gave, and say so by how they give it. */
function wantedBack(part: Content<"assistant">[number]): boolean {
  return part.type === "reasoning" && part.providerOptions?.openai?.reasoningField !== undefined;
}

/**
 * Reasoning that another provider signed is useless here. A provider that requires reasoning back requires it with every
 * call, also if there was none.
 */
function assistantMessage(content: Content<"assistant">, wantsReasoning: boolean): JsonObject {
  let text = "";
  let reasoning = "";
  const details: JsonValue[] = [];
  const calls: JsonObject[] = [];
  for (const part of content) {
    if (part.type === "text") text += part.text;
    const own = part.providerOptions?.openai;
    if (part.type === "reasoning" && !isForeign(part.providerOptions)) {
      const wanted = defined({ details: own?.reasoningDetails ?? [] }).details;
      if (isJsonList(wanted)) details.push(...wanted);
      if (part.providerOptions === undefined || own?.reasoningField !== undefined) {
        reasoning += part.text;
      }
    }
    if (part.type === "tool-call") {
      const { toolName: name, input } = part;
      const call = { name, arguments: JSON.stringify(input ?? {}) };
      const extra = defined({ extra_content: own?.extraContent });
      calls.push({ id: part.toolCallId, type: "function", function: call, ...extra });
    }
  }
  return {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    ...(reasoning !== "" || (wantsReasoning && calls.length > 0)
      ? { reasoning_content: reasoning }
      : {}),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function isForeign(options: SharedV3ProviderOptions | undefined): boolean {
  return options?.anthropic !== undefined || options?.google !== undefined;
}

/** A tool's answer can only be text here: its pictures follow as a message of the user. */
function toolMessages(content: Content<"tool">): readonly JsonObject[] {
  const answers: JsonObject[] = [];
  const pictures: JsonObject[] = [];
  for (const part of content) {
    if (part.type !== "tool-result") continue;
    const images = part.output.type === "content" ? part.output.value.flatMap(pictureUrls) : [];
    const note = `[${images.length} image(s) of this output follow in the next message]`;
    const words = [outputTextOf(part.output), ...(images.length === 0 ? [] : [note])];
    const text = words.filter((one) => one !== "").join("\n");
    answers.push({ role: "tool", tool_call_id: part.toolCallId, content: text });
    if (images.length === 0) continue;
    pictures.push({
      type: "text",
      text: `Image(s) that ${part.toolName} (${part.toolCallId}) gave:`,
    });
    pictures.push(...images.map(imagePart));
  }
  return pictures.length === 0 ? answers : [...answers, { role: "user", content: pictures }];
}

function pictureUrls(piece: Parameters<typeof pictureIn>[0]): readonly string[] {
  const picture = pictureIn(piece);
  return picture === undefined ? [] : [picture.url];
}
