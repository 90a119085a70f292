/** Every client of the provider server: our own adapters, and the AI SDK's packages. For tests that require the same of all. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { createAnthropicModel } from "../models/anthropic.js";
import { createGoogleModel } from "../models/google.js";
import { createOpenaiModel } from "../models/openaiCompatible.js";
import { anthropic, google, openai } from "./providerFrames.js";
import type { Dialect, ProviderServer, Reply } from "./providerServer.js";

export const own = ["openai", "anthropic", "google"] as const;
export const foreign = ["ai-sdk openai-compatible", "ai-sdk anthropic", "ai-sdk google"] as const;
export const all = [...own, ...foreign] as const;
export type Door = (typeof all)[number];

/** The same answer in each provider's frames. */
export type Frames = Readonly<Record<Dialect, Reply>>;

export function modelFor(door: Door, { urls }: ProviderServer): LanguageModelV3 {
  const modelId = "test-model";
  const apiKey = "test-key";
  switch (door) {
    case "openai":
      return createOpenaiModel({ modelId, apiKey, baseUrl: urls.openai });
    case "anthropic":
      return createAnthropicModel({ modelId, apiKey, baseUrl: urls.anthropic });
    case "google":
      return createGoogleModel({ modelId, apiKey, baseUrl: urls.google });
    case "ai-sdk openai-compatible":
      return createOpenAICompatible({ name: "x", baseURL: urls.openai, apiKey }).languageModel(
        modelId,
      );
    case "ai-sdk anthropic":
      return createAnthropic({ baseURL: `${urls.anthropic}/v1`, apiKey })(modelId);
    case "ai-sdk google":
      return createGoogleGenerativeAI({ baseURL: urls.google, apiKey })(modelId);
    default:
      return door satisfies never;
  }
}

export function replyFor(door: Door, frames: Frames): Reply {
  if (door.endsWith("anthropic")) return frames.anthropic;
  return door.endsWith("google") ? frames.google : frames.openai;
}

export const hello: Frames = {
  openai: { steps: [openai.text("Hel"), openai.text("lo"), openai.finish("stop")] },
  anthropic: {
    steps: [
      anthropic.begin(),
      anthropic.startText(0),
      anthropic.text(0, "Hel"),
      anthropic.text(0, "lo"),
      anthropic.stop(0),
      ...anthropic.end("end_turn"),
    ],
  },
  google: { steps: [google.text("Hel"), google.text("lo"), google.finish("STOP")] },
};
