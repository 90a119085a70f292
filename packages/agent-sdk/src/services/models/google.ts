/**
 * Google's models through the AI SDK's own package. It adds two things: a stream that stops without a
 * finish reason is an error, where the package says that all is well; and what another provider's model
 * thought is not told as if it were a thought of this one.
 */
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { HttpModel } from "./httpModel.js";

export interface GoogleModelOptions {
  readonly modelId: string;
  readonly apiKey: string;
  /** Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string;
}

export function createGoogleModel({ modelId, apiKey, baseUrl }: GoogleModelOptions): HttpModel {
  const provider = createGoogleGenerativeAI({
    apiKey,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });
  const model = provider(modelId);
  return {
    specificationVersion: "v3",
    provider: "google",
    modelId,
    baseUrl: baseUrl ?? "https://generativelanguage.googleapis.com/v1beta",
    supportedUrls: model.supportedUrls,
    doGenerate: (call) => model.doGenerate(withOwnThoughts(call)),
    async doStream(call) {
      const result = await model.doStream(withOwnThoughts(call));
      return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) };
    },
  };
}

function withOwnThoughts(call: LanguageModelV3CallOptions): LanguageModelV3CallOptions {
  const prompt = call.prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const content = message.content.filter(
      (part) => part.type !== "reasoning" || part.providerOptions?.google !== undefined,
    );
    return { ...message, content };
  });
  return { ...call, prompt };
}

function transform(
  part: LanguageModelV3StreamPart,
  controller: TransformStreamDefaultController<LanguageModelV3StreamPart>,
): void {
  const isCut = part.type === "finish" && part.finishReason.raw === undefined;
  const error = new Error("the stream ended without a finish reason");
  controller.enqueue(isCut ? { type: "error", error } : part);
}
