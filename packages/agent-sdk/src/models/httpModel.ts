/**
 * What our own model adapters have in common: a stateless language model over HTTP that never retries by itself, and
 * reads a whole answer with the same code as a streamed one.
 */
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { ReasoningSettings } from "../types/model.js";
import {
  type CreateReader,
  fetchAnswer,
  type ProviderRequest,
  streamAnswer,
  streamedPartsOf,
} from "./sseRequest.js";
import { generateResult } from "./wholeAnswer.js";

export interface HttpModelOptions
  extends Pick<LanguageModelV3, "provider" | "modelId" | "supportedUrls"> {
  /** Where it answers from. */
  readonly baseUrl: string;
  readonly requestOf: (call: LanguageModelV3CallOptions, stream: boolean) => OwnRequest;
  readonly createReader: CreateReader;
  readonly reasoningOptions: HttpModel["reasoningOptions"];
  /** Default none. */
  readonly cacheOptions?: HttpModel["cacheOptions"];
}

/** A request without what every adapter adds. */
export type OwnRequest = Omit<ProviderRequest, "abortSignal" | "context">;

export interface HttpModel extends LanguageModelV3 {
  readonly baseUrl: string;
  /** The reasoning effort in this provider's own options. */
  readonly reasoningOptions: (settings: ReasoningSettings) => SharedV3ProviderOptions;
  /** The options with which this provider finds what it has cached of a session's prompts. */
  readonly cacheOptions: (sessionId: string) => SharedV3ProviderOptions;
}

export function createHttpModel(options: HttpModelOptions): HttpModel {
  const { provider, modelId, baseUrl, supportedUrls, requestOf, createReader } = options;
  return {
    baseUrl,
    reasoningOptions: options.reasoningOptions,
    cacheOptions: options.cacheOptions ?? (() => ({})),
    specificationVersion: "v3",
    provider,
    modelId,
    supportedUrls,
    doStream: (call) => streamAnswer(completed(requestOf(call, true), call), createReader),
    async doGenerate(call) {
      const request = completed(requestOf(call, false), call);
      const whole = await fetchAnswer(request);
      const parts = streamedPartsOf(whole.answer, createReader, request.context);
      return generateResult(parts, whole, request.body);
    },
  };
}

function completed(
  request: OwnRequest,
  { abortSignal, tools = [], headers = {} }: LanguageModelV3CallOptions,
): ProviderRequest {
  const toolNames = new Set(tools.map(({ name }) => name));
  return {
    ...request,
    headers: { ...request.headers, ...headers },
    abortSignal,
    context: { toolNames },
  };
}
