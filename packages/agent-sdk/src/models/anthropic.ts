/** A thin language model over Anthropic's messages API. */
import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { anthropicRequest } from "./anthropicRequest.js";
import { createAnthropicReader } from "./anthropicStream.js";
import { createHttpModel, type HttpModel, type OwnRequest } from "./httpModel.js";
import { anthropicReasoning } from "./reasoningOptions.js";

export interface AnthropicModelOptions {
  readonly modelId: string;
  readonly apiKey: string;
  /** With or without `/v1` at its end. Default `https://api.anthropic.com/v1`. */
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function createAnthropicModel(options: AnthropicModelOptions): HttpModel {
  const { modelId, apiKey, headers } = options;
  const base = (options.baseUrl ?? "https://api.anthropic.com").replace(/\/+$/, "");
  const baseUrl = base.endsWith("/v1") ? base : `${base}/v1`;

  function requestOf(call: LanguageModelV3CallOptions, stream: boolean): OwnRequest {
    return {
      url: `${baseUrl}/messages`,
      headers: {
        "x-api-key": apiKey,
        "anthropic-version": "2023-06-01",
        ...headers,
      },
      body: anthropicRequest(call, { modelId, stream }),
    };
  }

  return createHttpModel({
    provider: "anthropic",
    modelId,
    baseUrl,
    supportedUrls: {
      "image/*": [/^https?:\/\/.*$/],
      "application/pdf": [/^https?:\/\/.*$/],
    },
    reasoningOptions: anthropicReasoning,
    requestOf,
    createReader: createAnthropicReader,
  });
}
