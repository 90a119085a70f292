/** A small language model for every server with chat-completions: OpenAI, OpenRouter, DeepSeek, Mistral, Groq, vLLM, Ollama, LM Studio. */
import {
  APICallError,
  type LanguageModelV3CallOptions,
  type SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ReasoningSettings } from "../types/model.js";
import { createHttpModel, type HttpModel, type OwnRequest } from "./httpModel.js";
import { keyHeaders, type OpenaiModelOptions, openaiUrl, pathUnder } from "./openaiAddress.js";
import { openaiRequest } from "./openaiRequest.js";
import { createOpenaiReader } from "./openaiStream.js";
import { openaiCache } from "./promptCache.js";
import { effortOf } from "./reasoningOptions.js";

export interface ChatModelOptions extends OpenaiModelOptions {
  /** Whether the server leaves thoughts in the text, between think tags. Default not for OpenAI itself. */
  readonly hasThinkTags?: boolean;
  /** Mistral takes ids of nine letters and digits, and no message of the user behind a tool's. */
  readonly isMistral?: boolean;
  /** The option for the reasoning effort. Default `reasoning_effort`. */
  readonly reasoningOptions?: HttpModel["reasoningOptions"];
}

export function createOpenaiModel(options: ChatModelOptions): HttpModel {
  const { modelId, headers, provider = "openai", isMistral = false } = options;
  const baseUrl = (options.baseUrl ?? openaiUrl).replace(/\/+$/, "");
  const hasThinkTags = options.hasThinkTags ?? baseUrl !== openaiUrl;
  /** Whether a stream is to end with token counts. */
  let asksForUsage = true;
  const limitField = baseUrl === openaiUrl ? "max_completion_tokens" : "max_tokens";

  function requestOf(call: LanguageModelV3CallOptions, stream: boolean): OwnRequest {
    return {
      url: pathUnder(baseUrl, "/chat/completions"),
      headers: { ...keyHeaders(options), ...headers },
      body: openaiRequest(call, { modelId, provider, limitField, stream, asksForUsage, isMistral }),
    };
  }

  const model = createHttpModel({
    provider,
    modelId,
    baseUrl,
    supportedUrls: { "image/*": [/^https?:\/\/.*$/] },
    reasoningOptions: options.reasoningOptions ?? effortOption,
    cacheOptions: openaiCache(baseUrl),
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

function effortOption(settings: ReasoningSettings): SharedV3ProviderOptions {
  const effort = effortOf(settings);
  return effort === undefined ? {} : { openai: { reasoning_effort: effort } };
}

/** Some servers refuse a request for token counts in a stream. */
function refusesUsage(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  const { statusCode, responseBody = "" } = error;
  const isRefusal = statusCode === 400 || statusCode === 422;
  return isRefusal && /stream_options|include_usage/.test(responseBody);
}
