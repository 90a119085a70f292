/** Every provider by name: its address, its key, and its protocol. */

import { withoutUndefined } from "@callboard/run-log/values";
import type { LanguageModel } from "../types/model.js";
import { ConfigurationError } from "../utils/configurationError.js";
import { createAnthropicModel } from "./anthropic.js";
import { createGoogleModel } from "./google.js";
import { installedModel } from "./installedModel.js";
import { openaiUrl } from "./openaiAddress.js";
import { type ChatModelOptions, createOpenaiModel } from "./openaiCompatible.js";
import { createResponsesModel } from "./openaiResponses.js";
import { providerKeys } from "./providerKeys.js";
import { openrouterReasoning } from "./reasoningOptions.js";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProviderSettings {
  readonly modelId: string;
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly api?: "responses" | "chat";
  readonly env: Environment;
}

export interface ProviderEntry {
  /** Environment variables that may have the key; the first one that is set counts. None: no key is needed. */
  readonly keyNames: readonly string[];
  /** The environment variable that has another address. */
  readonly urlName?: string;
  readonly example: string;
  /** The model that a key alone selects. Absent if it cannot be guessed. */
  readonly defaultModel?: string;
  /** Whether a key is needed at this address. A server of one's own may need none. */
  readonly needsKeyAt: (baseUrl: string | undefined) => boolean;
  readonly create: (settings: ProviderSettings) => LanguageModel;
}

function chat(
  provider: string,
  defaultUrl: string,
  more: Partial<ChatModelOptions> = {},
): ProviderEntry["create"] {
  return ({ modelId, apiKey, baseUrl = defaultUrl }) =>
    createOpenaiModel({
      provider,
      modelId,
      baseUrl,
      ...withoutUndefined({ apiKey }),
      hasThinkTags: false,
      ...more,
    });
}

const always = () => true;
const never = () => false;

/** In the order in which a key in the environment selects its provider. */
export const providers: Readonly<Record<string, ProviderEntry>> = {
  anthropic: {
    keyNames: providerKeys.anthropic,
    urlName: "ANTHROPIC_BASE_URL",
    example: "anthropic:claude-sonnet-4-5",
    defaultModel: "claude-sonnet-4-5",
    needsKeyAt: always,
    create: ({ modelId, apiKey = "", baseUrl }) =>
      createAnthropicModel({ modelId, apiKey, ...withoutUndefined({ baseUrl }) }),
  },
  openai: {
    keyNames: providerKeys.openai,
    urlName: "OPENAI_BASE_URL",
    example: "openai:gpt-5",
    defaultModel: "gpt-5",
    needsKeyAt: (baseUrl) => baseUrl === undefined,
    create({ modelId, apiKey, baseUrl, api }) {
      const isOwn = baseUrl === undefined || baseUrl.replace(/\/+$/, "") === openaiUrl;
      const create =
        (api ?? (isOwn ? "responses" : "chat")) === "chat"
          ? createOpenaiModel
          : createResponsesModel;
      return create({
        modelId,
        ...withoutUndefined({ apiKey, baseUrl }),
      });
    },
  },
  google: {
    keyNames: providerKeys.google,
    urlName: "GOOGLE_GENERATIVE_AI_BASE_URL",
    example: "google:gemini-2.5-pro",
    defaultModel: "gemini-2.5-pro",
    needsKeyAt: always,
    create: ({ modelId, apiKey = "", baseUrl }) =>
      createGoogleModel({ modelId, apiKey, ...withoutUndefined({ baseUrl }) }),
  },
  openrouter: {
    keyNames: providerKeys.openrouter,
    urlName: "OPENROUTER_BASE_URL",
    example: "openrouter:anthropic/claude-sonnet-4.5",
    defaultModel: "openrouter/auto",
    needsKeyAt: always,
    create: chat("openrouter", "https://openrouter.ai/api/v1", {
      reasoningOptions: openrouterReasoning,
    }),
  },
  groq: {
    keyNames: providerKeys.groq,
    urlName: "GROQ_BASE_URL",
    example: "groq:openai/gpt-oss-120b",
    defaultModel: "openai/gpt-oss-120b",
    needsKeyAt: always,
    create: chat("groq", "https://api.groq.com/openai/v1", { hasThinkTags: true }),
  },
  mistral: {
    keyNames: providerKeys.mistral,
    urlName: "MISTRAL_BASE_URL",
    example: "mistral:mistral-large-latest",
    defaultModel: "mistral-large-latest",
    needsKeyAt: always,
    create: chat("mistral", "https://api.mistral.ai/v1", { isMistral: true }),
  },
  deepseek: {
    keyNames: providerKeys.deepseek,
    urlName: "DEEPSEEK_BASE_URL",
    example: "deepseek:deepseek-chat",
    defaultModel: "deepseek-chat",
    needsKeyAt: always,
    create: chat("deepseek", "https://api.deepseek.com/v1"),
  },
  xai: {
    keyNames: providerKeys.xai,
    urlName: "XAI_BASE_URL",
    example: "xai:grok-4",
    defaultModel: "grok-4",
    needsKeyAt: always,
    create: chat("xai", "https://api.x.ai/v1"),
  },
  azure: {
    keyNames: providerKeys.azure,
    urlName: "AZURE_BASE_URL",
    example: "azure:my-deployment",
    needsKeyAt: always,
    create({ env, api, ...settings }) {
      const resource = env.AZURE_RESOURCE_NAME?.trim();
      const ownUrl = resource ? `https://${resource}.openai.azure.com/openai/v1` : undefined;
      const baseUrl = settings.baseUrl ?? ownUrl;
      if (baseUrl === undefined) {
        throw new ConfigurationError(
          `azure:${settings.modelId} needs an address: set AZURE_RESOURCE_NAME, or AZURE_BASE_URL (its ?api-version= is kept).`,
        );
      }
      const more = { keyHeader: "api-key" as const };
      if (api !== "responses") return chat("azure", baseUrl, more)({ ...settings, env });
      return createResponsesModel({ ...settings, ...more, provider: "azure", baseUrl });
    },
  },
  ollama: {
    keyNames: [],
    urlName: "OLLAMA_BASE_URL",
    example: "ollama:qwen3",
    needsKeyAt: never,
    create: chat("ollama", "http://127.0.0.1:11434/v1", { hasThinkTags: true }),
  },
  lmstudio: {
    keyNames: [],
    urlName: "LMSTUDIO_BASE_URL",
    example: "lmstudio:qwen/qwen3-8b",
    needsKeyAt: never,
    create: chat("lmstudio", "http://127.0.0.1:1234/v1", { hasThinkTags: true }),
  },
  bedrock: {
    keyNames: [],
    example: "bedrock:anthropic.claude-sonnet-4-5-20250929-v1:0",
    needsKeyAt: never,
    create: ({ modelId }) =>
      installedModel("bedrock", modelId, "@ai-sdk/amazon-bedrock", "createAmazonBedrock", "4"),
  },
  vertex: {
    keyNames: [],
    example: "vertex:gemini-2.5-pro",
    needsKeyAt: never,
    create: ({ modelId }) =>
      installedModel("vertex", modelId, "@ai-sdk/google-vertex", "createVertex", "4"),
  },
};
