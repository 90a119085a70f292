/** Where a model answers from: what it wants back goes to the same provider at the same address only. */
import type { ProviderData } from "@callboard/run-log";
import type { LanguageModel, ModelOrigin } from "../types/model.js";

/** Our own adapters have their address; the AI SDK's models have it in their settings. */
export function originOf(model: LanguageModel): ModelOrigin {
  const baseUrl = "baseUrl" in model ? model.baseUrl : settingsOf(model).baseURL;
  const { provider } = model;
  return typeof baseUrl === "string" ? { provider, baseUrl } : { provider };
}

function settingsOf(model: LanguageModel): { readonly baseURL?: unknown } {
  if (!("config" in model)) return {};
  const { config } = model;
  return typeof config === "object" && config !== null ? config : {};
}

export function isFrom(origin: ModelOrigin, data: ProviderData | undefined): data is ProviderData {
  return data?.provider === origin.provider && data.baseUrl === origin.baseUrl;
}
