/**
 * A prompt and its settings as a request of OpenAI's Responses API. Pure. Nothing is kept by the provider: the
 * whole conversation is sent each time, and reasoning goes back as the encrypted item that it came as.
 */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3ToolChoice,
  LanguageModelV3ToolResultOutput,
} from "@ai-sdk/provider";
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import {
  base64Of,
  defined,
  outputTextOf,
  ownOptions,
  pictureIn,
  pictureOf,
} from "./promptContent.js";

export interface ResponsesRequestOptions {
  readonly modelId: string;
  readonly stream: boolean;
  /** Whether reasoning comes encrypted, so that it can be sent back. Models that do not reason refuse it. */
  readonly wantsReasoning: boolean;
}

export function responsesRequest(
  options: LanguageModelV3CallOptions,
  { modelId, stream, wantsReasoning }: ResponsesRequestOptions,
): JsonObject {
  const tools = options.tools?.flatMap(toolOf) ?? [];
  return defined({
    model: modelId,
    input: options.prompt.flatMap(itemsOf),
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : toolChoiceOf(options.toolChoice),
    max_output_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    text: options.responseFormat?.type === "json" ? { format: { type: "json_object" } } : undefined,
    store: false,
    include: wantsReasoning ? ["reasoning.encrypted_content"] : undefined,
    ...ownOptions(options.providerOptions, "openai"),
    stream: stream ? true : undefined,
  });
}

type Tool = NonNullable<LanguageModelV3CallOptions["tools"]>[number];

function toolOf(tool: Tool): readonly JsonObject[] {
  if (tool.type !== "function") return [];
  const { name, description, inputSchema, strict = false } = tool;
  return [defined({ type: "function", name, description, parameters: inputSchema, strict })];
}

function toolChoiceOf(choice: LanguageModelV3ToolChoice | undefined): JsonValue | undefined {
  if (choice === undefined) return undefined;
  return choice.type === "tool" ? { type: "function", name: choice.toolName } : choice.type;
}

type PartOf<Role extends "user" | "assistant" | "tool"> = Extract<
  LanguageModelV3Message,
  { role: Role }
>["content"][number];

function itemsOf(message: LanguageModelV3Message): readonly JsonObject[] {
  switch (message.role) {
    case "system":
      return message.content === "" ? [] : [{ role: "developer", content: message.content }];
    case "user":
      return [{ role: "user", content: message.content.flatMap(userPart) }];
    case "assistant":
      return message.content.flatMap(assistantItem);
    case "tool":
      return message.content.flatMap(resultItem);
    default:
      return message satisfies never;
  }
}

function userPart(part: PartOf<"user">): readonly JsonObject[] {
  if (part.type === "text")
    return part.text === "" ? [] : [{ type: "input_text", text: part.text }];
  const { data, mediaType, filename = "file" } = part;
  if (mediaType.startsWith("image/")) return [imagePart(pictureOf(data, mediaType).url)];
  if (data instanceof URL) return [{ type: "input_file", file_url: data.href }];
  const file_data = `data:${mediaType};base64,${base64Of(data)}`;
  return [{ type: "input_file", filename, file_data }];
}

function imagePart(url: string): JsonObject {
  return { type: "input_image", image_url: url };
}

/** Reasoning goes back only as the item that it came as. */
function assistantItem(part: PartOf<"assistant">): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return part.text === ""
        ? []
        : [
            {
              type: "message",
              role: "assistant",
              content: [{ type: "output_text", text: part.text }],
            },
          ];
    case "reasoning": {
      const { item } = defined({ item: part.providerOptions?.openai?.item });
      return isJsonObject(item) ? [item] : [];
    }
    case "tool-call": {
      const { toolCallId: call_id, toolName: name, input } = part;
      return [{ type: "function_call", call_id, name, arguments: JSON.stringify(input ?? {}) }];
    }
    case "file":
    case "tool-result":
      return [];
    default:
      return part satisfies never;
  }
}

function resultItem(part: PartOf<"tool">): readonly JsonObject[] {
  if (part.type !== "tool-result") return [];
  const { toolCallId: call_id, output } = part;
  return [{ type: "function_call_output", call_id, output: responsesOutputOf(output) }];
}

function responsesOutputOf(output: LanguageModelV3ToolResultOutput): JsonValue {
  const text = outputTextOf(output);
  const pictures =
    output.type === "content"
      ? output.value.flatMap((piece) => pictureIn(piece)?.url ?? []).map(imagePart)
      : [];
  if (pictures.length === 0) return text;
  return [...(text === "" ? [] : [{ type: "input_text", text }]), ...pictures];
}
