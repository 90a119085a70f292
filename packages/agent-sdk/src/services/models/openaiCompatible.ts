/**
 * A thin language model for everything that speaks chat-completions: OpenAI, OpenRouter, DeepSeek,
 * Mistral, Groq, vLLM, Ollama, LM Studio. It holds no state and never tries again by itself.
 */
import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { openaiRequest } from "./openaiRequest.js";
import { createOpenaiReader, openaiParts } from "./openaiStream.js";
import { fetchAnswer, type ProviderRequest, streamAnswer } from "./sseRequest.js";
import { generateResult } from "./wholeAnswer.js";

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

  return {
    specificationVersion: "v3",
    provider: "openai",
    modelId,
    supportedUrls: { "image/*": [/^https?:\/\/.*$/] },
    doStream: (call) =>
      streamAnswer(requestOf(call, true), {
        createReader: createOpenaiReader,
        partsOf: openaiParts,
      }),
    async doGenerate(call) {
      const request = requestOf(call, false);
      const whole = await fetchAnswer(request);
      return generateResult(openaiParts(whole.answer), whole, request.body);
    },
  };
}
