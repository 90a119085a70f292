/** A thin language model over Gemini's generateContent API. */
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { googleRequest } from "./googleRequest.js";
import { createGoogleReader } from "./googleStream.js";
import { createHttpModel, type HttpModel, type OwnRequest } from "./httpModel.js";
import { googleReasoning } from "./reasoningOptions.js";

export interface GoogleModelOptions {
  readonly modelId: string;
  readonly apiKey: string;
  /** Default `https://generativelanguage.googleapis.com/v1beta`. */
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ownUrl = "https://generativelanguage.googleapis.com/v1beta";

export function createGoogleModel(options: GoogleModelOptions): HttpModel {
  const { modelId, apiKey, headers } = options;
  const baseUrl = (options.baseUrl ?? ownUrl).replace(/\/+$/, "");
  const path = modelId.includes("/") ? modelId : `models/${modelId}`;

  function requestOf(call: LanguageModelV3CallOptions, stream: boolean): OwnRequest {
    const action = stream ? "streamGenerateContent?alt=sse" : "generateContent";
    return {
      url: `${baseUrl}/${path}:${action}`,
      headers: { "x-goog-api-key": apiKey, ...headers },
      body: googleRequest(call),
    };
  }

  return createHttpModel({
    provider: "google",
    modelId,
    baseUrl,
    supportedUrls: {},
    reasoningOptions: (settings) => googleReasoning(modelId, settings),
    requestOf,
    createReader: createGoogleReader,
  });
}
