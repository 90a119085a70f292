/**
 * A prompt and its settings as a request of Anthropic's messages API. Pure. An agent sends the same prefix with every
 * turn, so the system prompt and the last block are marked for the cache.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolChoice,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import {
  base64Of,
  defined,
  outputTextOf,
  ownOptions,
  type Picture,
  pictureIn,
  pictureOf,
  resultPieceText,
} from "./promptContent.js";

const cached = { cache_control: { type: "ephemeral" } } as const;

export function anthropicRequest(
  options: LanguageModelV3CallOptions,
  { modelId, stream }: { readonly modelId: string; readonly stream: boolean },
): JsonObject {
  const tools = options.tools?.flatMap(toolOf) ?? [];
  const system = systemOf(options.prompt);
  const own = ownOptions(options.providerOptions, "anthropic");
  const budget = budgetIn(own);
  const limit = options.maxOutputTokens ?? defaultLimitOf(modelId);
  return defined({
    model: modelId,
    max_tokens: budget < limit ? limit : budget + limit,
    system: system.length === 0 ? undefined : withCache(system),
    messages: anthropicMessages(options.prompt),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(options.toolChoice),
    temperature: budget > 0 ? undefined : options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    stop_sequences: options.stopSequences,
    ...own,
    stream: stream ? true : undefined,
  });
}

/** Thinking counts as output, so the limit must be above it; and a model that thinks has one temperature. */
function budgetIn({ thinking }: Readonly<Record<string, unknown>>): number {
  if (typeof thinking !== "object" || thinking === null || !("budget_tokens" in thinking)) return 0;
  return typeof thinking.budget_tokens === "number" ? thinking.budget_tokens : 0;
}

/** The API wants a limit. These are the most that each generation takes. */
function defaultLimitOf(modelId: string): number {
  if (/claude-3-[57]/.test(modelId)) return 8192;
  return /claude-(2|3-|instant)/.test(modelId) ? 4096 : 32_000;
}

function systemOf(prompt: LanguageModelV3Prompt): readonly JsonObject[] {
  return prompt.flatMap((message) =>
    message.role === "system" && message.content !== ""
      ? [{ type: "text", text: message.content }]
      : [],
  );
}

function withCache(blocks: readonly JsonObject[]): readonly JsonObject[] {
  const last = blocks.at(-1);
  const type = last?.type;
  if (last === undefined || type === "thinking" || type === "redacted_thinking") return blocks;
  return [...blocks.slice(0, -1), { ...last, ...cached }];
}

type Tool = NonNullable<LanguageModelV3CallOptions["tools"]>[number];

function toolOf(tool: Tool): readonly JsonObject[] {
  if (tool.type !== "function") return [];
  const { name, description, inputSchema } = tool;
  return [defined({ name, description, input_schema: inputSchema })];
}

function toolChoiceOf(choice: LanguageModelV3ToolChoice | undefined): JsonValue | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case "auto":
    case "none":
      return { type: choice.type };
    case "required":
      return { type: "any" };
    case "tool":
      return { type: "tool", name: choice.toolName };
    default:
      return choice satisfies never;
  }
}

interface Turn {
  readonly role: "user" | "assistant";
  readonly content: readonly JsonObject[];
}

/** Neighbours of one side become one message, a tool's answers first, as the API wants it. */
export function anthropicMessages(prompt: LanguageModelV3Prompt): readonly JsonObject[] {
  const turns: Turn[] = [];
  for (const message of prompt) {
    const turn = turnOf(message);
    const last = turns.at(-1);
    if (turn === undefined || turn.content.length === 0) continue;
    if (last?.role === turn.role) {
      turns[turns.length - 1] = { role: turn.role, content: [...last.content, ...turn.content] };
    } else {
      turns.push(turn);
    }
  }
  return turns.map(({ role, content }, index) => ({
    role,
    content: index === turns.length - 1 ? withCache(content) : content,
  }));
}

function turnOf(message: LanguageModelV3Message): Turn | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return { role: "user", content: message.content.flatMap(userBlock) };
    case "assistant":
      return { role: "assistant", content: message.content.flatMap(assistantBlock) };
    case "tool":
      return { role: "user", content: message.content.flatMap(resultBlock) };
    default:
      return message satisfies never;
  }
}

type Part<Role extends "user" | "assistant" | "tool"> = Extract<
  LanguageModelV3Message,
  { role: Role }
>["content"][number];

function textBlock(text: string): readonly JsonObject[] {
  return text === "" ? [] : [{ type: "text", text }];
}

function imageBlock({ url, inline }: Picture): JsonObject {
  const source = inline
    ? { type: "base64", media_type: inline.mediaType, data: inline.data }
    : { type: "url", url };
  return { type: "image", source };
}

function userBlock(part: Part<"user">): readonly JsonObject[] {
  if (part.type === "text") return textBlock(part.text);
  const { data, mediaType } = part;
  if (mediaType.startsWith("image/")) return [imageBlock(pictureOf(data, mediaType))];
  if (mediaType === "application/pdf") {
    const source =
      data instanceof URL
        ? { type: "url", url: data.href }
        : { type: "base64", media_type: mediaType, data: base64Of(data) };
    return [{ type: "document", source }];
  }
  if (data instanceof URL) return textBlock(data.href);
  return textBlock(Buffer.from(base64Of(data), "base64").toString("utf8"));
}

/** A thought goes back only with what Anthropic gave it: without that it is refused. */
function assistantBlock(part: Part<"assistant">): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return textBlock(part.text);
    case "reasoning": {
      const { signature, redactedData: data } = part.providerOptions?.anthropic ?? {};
      if (typeof data === "string") return [{ type: "redacted_thinking", data }];
      if (typeof signature !== "string") return [];
      return [{ type: "thinking", thinking: part.text, signature }];
    }
    case "tool-call": {
      const input = defined({ input: part.input ?? {} }).input ?? {};
      return [{ type: "tool_use", id: anthropicIdOf(part.toolCallId), name: part.toolName, input }];
    }
    case "file":
    case "tool-result":
      return [];
    default:
      return part satisfies never;
  }
}

function resultBlock(part: Part<"tool">): readonly JsonObject[] {
  if (part.type !== "tool-result") return [];
  const { output } = part;
  const isError = ["error-text", "error-json", "execution-denied"].includes(output.type);
  return [
    {
      type: "tool_result",
      tool_use_id: anthropicIdOf(part.toolCallId),
      content: resultContent(output),
      ...(isError ? { is_error: true } : {}),
    },
  ];
}

function resultContent(output: LanguageModelV3ToolResultOutput): JsonValue {
  if (output.type !== "content") return outputTextOf(output);
  return output.value.flatMap((piece) => {
    const picture = pictureIn(piece);
    return picture === undefined ? textBlock(resultPieceText(piece)) : [imageBlock(picture)];
  });
}

/** Other providers' ids may hold characters that this API refuses. */
function anthropicIdOf(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_");
}
