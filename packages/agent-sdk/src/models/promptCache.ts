/**
 * Prompt caching for models of OpenAI's kind. OpenAI caches by itself and takes a key that sends the requests of one
 * session to the same cache. Anthropic's models behind OpenRouter cache only what is marked. Pure.
 */
import { createHash } from "node:crypto";
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import { isJsonList, isJsonObject, type JsonObject } from "@callboard/run-log";
import type { LanguageModel } from "../types/model.js";
import { openaiUrl } from "./openaiAddress.js";

/** The options with which a model finds the cache of a session. Empty if its provider has none. */
export function cacheOptionsOf(model: LanguageModel, sessionId: string): SharedV3ProviderOptions {
  if ("cacheOptions" in model && typeof model.cacheOptions === "function") {
    return model.cacheOptions(sessionId);
  }
  return {};
}

/** Other servers may refuse a field that they do not know. A session's id may be longer than the 64 characters of a key. */
export function openaiCache(baseUrl: string): (sessionId: string) => SharedV3ProviderOptions {
  if (baseUrl.replace(/\/+$/, "") !== openaiUrl) return () => ({});
  return (sessionId) => {
    const key = createHash("sha256").update(sessionId).digest("base64url");
    return { openai: { prompt_cache_key: key } };
  };
}

/** Whether OpenRouter gives the marks of a prompt on to this model. */
export function isMarkedForCache(provider: string, modelId: string): boolean {
  return provider === "openrouter" && /^~?anthropic\//.test(modelId);
}

/** Marks the system prompt and the last message of the user or of a tool, as for Anthropic itself. */
export function withCacheMarks(messages: readonly JsonObject[]): readonly JsonObject[] {
  const system = messages.findLastIndex(({ role }) => role === "system");
  const last = messages.findLastIndex(({ role }) => role === "user" || role === "tool");
  return messages.map((message, index) =>
    index === system || index === last ? marked(message) : message,
  );
}

const mark = { cache_control: { type: "ephemeral" } } as const;

/** A mark is on a text: a blank one is refused with it. */
function marked(message: JsonObject): JsonObject {
  const { content } = message;
  if (typeof content === "string") {
    if (content.trim() === "") return message;
    return { ...message, content: [{ type: "text", text: content, ...mark }] };
  }
  if (!isJsonList(content)) return message;
  const at = content.findLastIndex(
    (part) => isJsonObject(part) && typeof part.text === "string" && part.text.trim() !== "",
  );
  const parts = content.map((part, index) =>
    index === at && isJsonObject(part) ? { ...part, ...mark } : part,
  );
  return { ...message, content: parts };
}
