/**
 * A thin language model for everything that speaks chat-completions: OpenAI, OpenRouter, DeepSeek,
 * Mistral, Groq, vLLM, Ollama, LM Studio.
 */
import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { createHttpModel } from "./httpModel.js";
import { openaiRequest } from "./openaiRequest.js";
import { createOpenaiReader } from "./openaiStream.js";
import type { ProviderRequest } from "./sseRequest.js";

export interface OpenaiModelOptions {
  readonly modelId: string;
  /** Absent for a local server that asks for none. */
  readonly apiKey?: string;
  /** Default `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ownUrl = "https://api.openai.com/v1";

export function createOpenaiModel(options: OpenaiModelOptions): LanguageModelV3 {
  const { modelId, apiKey, headers } = options;
  const baseUrl = (options.baseUrl ?? ownUrl).replace(/\/+$/, "");
  const limitField = baseUrl === ownUrl ? "max_completion_tokens" : "max_tokens";

  function requestOf(call: LanguageModelV3CallOptions, stream: boolean): ProviderRequest {
    return {
      url: `${baseUrl}/chat/completions`,
      headers: {
        authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`,
        ...headers,
        ...call.headers,
      },
      body: openaiRequest(call, { modelId, limitField, stream }),
      abortSignal: call.abortSignal,
    };
  }

  return createHttpModel({
    provider: "openai",
    modelId,
    baseUrl,
    supportedUrls: { "image/*": [/^https?:\/\/.*$/] },
    requestOf,
    createReader: createOpenaiReader,
  });
}
