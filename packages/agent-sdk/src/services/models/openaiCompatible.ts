/**
 * A thin language model for everything that speaks chat-completions: OpenAI, OpenRouter, DeepSeek,
 * Mistral, Groq, vLLM, Ollama, LM Studio.
 */
import { APICallError, type LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { createHttpModel, type HttpModel, type OwnRequest } from "./httpModel.js";
import { openaiRequest } from "./openaiRequest.js";
import { createOpenaiReader } from "./openaiStream.js";

export interface OpenaiModelOptions {
  readonly modelId: string;
  /** Absent for a local server that asks for none. */
  readonly apiKey?: string;
  /** Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ownUrl = "https://api.openai.com/v1";

export function createOpenaiModel(options: OpenaiModelOptions): HttpModel {
  const { modelId, apiKey, headers } = options;
  const baseUrl = (options.baseUrl ?? ownUrl).replace(/\/+$/, "");
  const hasThinkTags = baseUrl !== ownUrl;
  /** Whether a stream is to end with token counts. */
  let asksForUsage = true;
  const limitField = baseUrl === ownUrl ? "max_completion_tokens" : "max_tokens";

  function requestOf(call: LanguageModelV3CallOptions, stream: boolean): OwnRequest {
    return {
      url: `${baseUrl}/chat/completions`,
      headers: {
        authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
        ...headers,
      },
      body: openaiRequest(call, { modelId, limitField, stream, asksForUsage }),
    };
  }

  const model = createHttpModel({
    provider: "openai",
    modelId,
    baseUrl,
    supportedUrls: { "image/*": [/^https?:\/\/.*$/] },
    requestOf,
    createReader: (emit, context) => createOpenaiReader(emit, context, { hasThinkTags }),
  });
  return {
    ...model,
    async doStream(call) {
      try {
        return await model.doStream(call);
      } catch (error) {
        if (!refusesUsage(error) || !asksForUsage) throw error;
        asksForUsage = false;
        return model.doStream(call);
      }
    },
  };
}

/** Some servers refuse to be asked for token counts in a stream. */
function refusesUsage(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  const { statusCode, responseBody = "" } = error;
  const isRefusal = statusCode === 400 || statusCode === 422;
  return isRefusal && /stream_options|include_usage/.test(responseBody);
}
