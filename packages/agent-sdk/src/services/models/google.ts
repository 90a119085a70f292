/**
 * Google's models through the AI SDK's own package. It adds one thing: a stream that stops without a
 * finish reason is an error, where the package says that all is well.
 */
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";

export interface GoogleModelOptions {
  readonly modelId: string;
  readonly apiKey: string;
  /** Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string;
}

export function createGoogleModel({
  modelId,
  apiKey,
  baseUrl,
}: GoogleModelOptions): LanguageModelV3 {
  const provider = createGoogleGenerativeAI({
    apiKey,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
  });
  const model = provider(modelId);
  return {
    specificationVersion: "v3",
    provider: "google",
    modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (call) => model.doGenerate(call),
    async doStream(call) {
      const result = await model.doStream(call);
      return { ...result, stream: result.stream.pipeThrough(new TransformStream({ transform })) };
    },
  };
}

function transform(
  part: LanguageModelV3StreamPart,
  controller: TransformStreamDefaultController<LanguageModelV3StreamPart>,
): void {
  const isCut = part.type === "finish" && part.finishReason.raw === undefined;
  const error = new Error("the stream ended without a finish reason");
  controller.enqueue(isCut ? { type: "error", error } : part);
}
