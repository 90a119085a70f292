/** A thin language model over OpenAI's Responses API, which its newer models want for tools. */
import {
  APICallError,
  type LanguageModelV3CallOptions,
  type SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ReasoningSettings } from "../types/model.js";
import { createHttpModel, type HttpModel, type OwnRequest } from "./httpModel.js";
import { keyHeaders, type OpenaiModelOptions, openaiUrl, pathUnder } from "./openaiAddress.js";
import { openaiCache } from "./promptCache.js";
import { effortOf } from "./reasoningOptions.js";
import { responsesRequest } from "./responsesRequest.js";
import { createResponsesReader } from "./responsesStream.js";

export function createResponsesModel(options: OpenaiModelOptions): HttpModel {
  const { modelId, headers, provider = "openai", baseUrl = openaiUrl } = options;
  /** Models from before reasoning refuse a request for it; so may others, and then it is not requested again. */
  let wantsReasoning = !/^(gpt-[34]|chatgpt)/.test(modelId);

  function requestOf(call: LanguageModelV3CallOptions, stream: boolean): OwnRequest {
    return {
      url: pathUnder(baseUrl, "/responses"),
      headers: { ...keyHeaders(options), ...headers },
      body: responsesRequest(call, { modelId, stream, wantsReasoning }),
    };
  }

  const model = createHttpModel({
    provider,
    modelId,
    baseUrl,
    supportedUrls: { "image/*": [/^https?:\/\/.*$/], "application/pdf": [/^https?:\/\/.*$/] },
    reasoningOptions: reasoningOf,
    cacheOptions: openaiCache(baseUrl),
    requestOf,
    createReader: createResponsesReader,
  });

  async function tried<Answer>(ask: () => PromiseLike<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (!wantsReasoning || !refusesReasoning(error)) throw error;
      wantsReasoning = false;
      return ask();
    }
  }

  return {
    ...model,
    doStream: (call) => tried(() => model.doStream(call)),
    doGenerate: (call) => tried(() => model.doGenerate(call)),
  };
}

function refusesReasoning(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  return error.statusCode === 400 && /encrypted.content|'include'/i.test(error.responseBody ?? "");
}

function reasoningOf(settings: ReasoningSettings): SharedV3ProviderOptions {
  const effort = effortOf(settings);
  return effort === undefined ? {} : { openai: { reasoning: { effort, summary: "auto" } } };
}
