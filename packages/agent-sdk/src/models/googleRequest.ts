/** A prompt and its settings as a request of Gemini's generateContent API. Pure. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolChoice,
  LanguageModelV3ToolResultOutput,
  SharedV3ProviderOptions,
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
} from "./promptContent.js";

export function googleRequest(options: LanguageModelV3CallOptions): JsonObject {
  const declarations = options.tools?.flatMap(declarationOf) ?? [];
  const { thinkingConfig, ...own } = ownOptions(options.providerOptions, "google");
  const system = options.prompt.flatMap((message) =>
    message.role === "system" && message.content !== "" ? [{ text: message.content }] : [],
  );
  return defined({
    systemInstruction: system.length === 0 ? undefined : { parts: system },
    contents: googleContentsOf(options.prompt),
    tools: declarations.length === 0 ? undefined : [{ functionDeclarations: declarations }],
    toolConfig: declarations.length === 0 ? undefined : toolConfigOf(options.toolChoice),
    generationConfig: {
      maxOutputTokens: options.maxOutputTokens,
      temperature: options.temperature,
      topP: options.topP,
      topK: options.topK,
      stopSequences: options.stopSequences,
      seed: options.seed,
      responseMimeType: options.responseFormat?.type === "json" ? "application/json" : undefined,
      thinkingConfig,
    },
    ...own,
  });
}

type Tool = NonNullable<LanguageModelV3CallOptions["tools"]>[number];

function declarationOf(tool: Tool): readonly JsonObject[] {
  if (tool.type !== "function") return [];
  const { name, description = "", inputSchema } = tool;
  return [defined({ name, description, parametersJsonSchema: inputSchema })];
}

function toolConfigOf(choice: LanguageModelV3ToolChoice | undefined): JsonValue | undefined {
  switch (choice?.type) {
    case undefined:
      return undefined;
    case "auto":
      return { functionCallingConfig: { mode: "AUTO" } };
    case "none":
      return { functionCallingConfig: { mode: "NONE" } };
    case "required":
      return { functionCallingConfig: { mode: "ANY" } };
    case "tool":
      return { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [choice.toolName] } };
    default:
      return choice satisfies never;
  }
}

interface Content {
  readonly role: "user" | "model";
  readonly parts: readonly JsonObject[];
}

/** Neighbours of one role are one turn; a turn without parts is refused. */
function googleContentsOf(prompt: LanguageModelV3Prompt): readonly Content[] {
  const contents: Content[] = [];
  for (const message of prompt) {
    const content = googleContentOf(message);
    if (content === undefined || content.parts.length === 0) continue;
    const last = contents.at(-1);
    if (last?.role === content.role) {
      contents[contents.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
    } else {
      contents.push(content);
    }
  }
  return contents;
}

function googleContentOf(message: LanguageModelV3Message): Content | undefined {
  switch (message.role) {
    case "system":
      return undefined;
    case "user":
      return { role: "user", parts: message.content.flatMap(userPart) };
    case "assistant":
      return { role: "model", parts: message.content.flatMap(modelPart) };
    case "tool":
      return { role: "user", parts: message.content.flatMap(resultParts) };
    default:
      return message satisfies never;
  }
}

type PartOf<Role extends "user" | "assistant" | "tool"> = Extract<
  LanguageModelV3Message,
  { role: Role }
>["content"][number];

function pictureParts({ url, inline }: Picture): readonly JsonObject[] {
  return [
    inline === undefined
      ? { fileData: { fileUri: url } }
      : { inlineData: { mimeType: inline.mediaType, data: inline.data } },
  ];
}

function userPart(part: PartOf<"user">): readonly JsonObject[] {
  if (part.type === "text") return part.text === "" ? [] : [{ text: part.text }];
  const { data, mediaType } = part;
  if (mediaType.startsWith("image/")) return pictureParts(pictureOf(data, mediaType));
  if (data instanceof URL) return [{ fileData: { mimeType: mediaType, fileUri: data.href } }];
  return [{ inlineData: { mimeType: mediaType, data: base64Of(data) } }];
}

function signatureOf(options: SharedV3ProviderOptions | undefined): JsonObject {
  const signature = options?.google?.thoughtSignature;
  return typeof signature === "string" ? { thoughtSignature: signature } : {};
}

/** Reasoning of another provider's model is not sent as reasoning of this one. */
function modelPart(part: PartOf<"assistant">): readonly JsonObject[] {
  const signed = signatureOf(part.providerOptions);
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ text: part.text, ...signed }];
    case "reasoning":
      if (part.providerOptions?.google === undefined) return [];
      return part.text === "" ? [] : [{ text: part.text, thought: true, ...signed }];
    case "file": {
      const parts = userPart(part);
      return parts.map((one) => ({ ...one, ...signed }));
    }
    case "tool-call": {
      const args = defined({ args: part.input ?? {} }).args ?? {};
      return [{ functionCall: { name: part.toolName, args }, ...signed }];
    }
    case "tool-result":
      return [];
    default:
      return part satisfies never;
  }
}

function resultParts(part: PartOf<"tool">): readonly JsonObject[] {
  if (part.type !== "tool-result") return [];
  const { toolName: name, output } = part;
  return [
    { functionResponse: { name, response: { name, content: outputTextOf(output) } } },
    ...picturesOf(output),
  ];
}

function picturesOf(output: LanguageModelV3ToolResultOutput): readonly JsonObject[] {
  if (output.type !== "content") return [];
  return output.value.flatMap((piece) => {
    const picture = pictureIn(piece);
    return picture === undefined ? [] : pictureParts(picture);
  });
}
