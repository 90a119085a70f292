/** Parts of a model's stream, and a model that returns only them. For tests. */
import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { LanguageModel, ModelPart } from "../types/model.js";

export const nothingUsed = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
} as const;

type Finish = Extract<ModelPart, { type: "finish" }>;

export function finish(unified: Finish["finishReason"]["unified"] = "tool-calls"): Finish {
  return { type: "finish", finishReason: { unified, raw: unified }, usage: nothingUsed };
}

export const text = (delta: string) => ({ type: "text-delta", id: "t", delta }) as const;

export function modelOf(parts: Promise<readonly LanguageModelV3StreamPart[]>): LanguageModel {
  return {
    specificationVersion: "v3",
    provider: "other",
    modelId: "m",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not asked for")),
    doStream: async () => ({ stream: ReadableStream.from(await parts) }),
  };
}
