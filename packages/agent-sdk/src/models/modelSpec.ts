/** A model as people write it: `provider:model?option=value&…`. Pure. */

import { type Effort, efforts, type ModelSettings } from "../types/model.js";
import { ConfigurationError } from "../utils/configurationError.js";

export interface ModelSpec {
  readonly provider: string;
  readonly modelId: string;
  readonly settings: ModelSettings;
  /** Which of OpenAI's protocols is used, if the name contains it. */
  readonly api?: "responses" | "chat";
}

const known =
  "effort, thinkingBudget, maxOutputTokens, temperature, timeout (seconds), api (responses or chat), header.<name>, option.<name>";

/** `said` without a provider has an empty one. */
export function modelSpecOf(said: string): ModelSpec {
  const question = said.indexOf("?");
  const name = question === -1 ? said : said.slice(0, question);
  const colon = name.indexOf(":");
  const provider = colon === -1 ? "" : name.slice(0, colon);
  const spec: Mutable<ModelSpec> = { provider, modelId: name.slice(colon + 1), settings: {} };
  if (question === -1) return spec;
  const settings: Mutable<ModelSettings> = {};
  const headers: Record<string, string> = {};
  const own: Record<string, string | number | boolean> = {};
  for (const [key, value] of new URLSearchParams(said.slice(question + 1))) {
    if (key === "effort") settings.effort = effortOf(said, value);
    else if (key === "thinkingBudget") settings.thinkingBudget = specCountOf(said, key, value);
    else if (key === "maxOutputTokens") settings.maxOutputTokens = specCountOf(said, key, value);
    else if (key === "temperature") settings.temperature = numberOf(said, key, value);
    else if (key === "timeout") settings.timeoutMs = numberOf(said, key, value) * 1000;
    else if (key === "api" && (value === "responses" || value === "chat")) spec.api = value;
    else if (key.startsWith("header.")) headers[key.slice("header.".length)] = value;
    else if (key.startsWith("option.")) own[key.slice("option.".length)] = scalarOf(value);
    else
      throw new ConfigurationError(
        `"${said}": ${key}=${value} is not an option of a model. The options are ${known}.`,
      );
  }
  if (Object.keys(headers).length > 0) settings.headers = headers;
  if (Object.keys(own).length > 0) settings.providerOptions = { [optionsName(provider)]: own };
  return { ...spec, settings };
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

function optionsName(provider: string): string {
  return provider === "anthropic" || provider === "google" ? provider : "openai";
}

function effortOf(said: string, value: string): Effort {
  const effort = efforts.find((one) => one === value);
  if (effort !== undefined) return effort;
  throw new ConfigurationError(
    `${said}: the effort "${value}" is not one of ${efforts.join(", ")}.`,
  );
}

function numberOf(said: string, key: string, value: string): number {
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new ConfigurationError(`"${said}": ${key} must be a number, not "${value}".`);
}

function specCountOf(said: string, key: string, value: string): number {
  const number = numberOf(said, key, value);
  if (Number.isSafeInteger(number)) return number;
  throw new ConfigurationError(`"${said}": ${key} must be a whole number, not "${value}".`);
}

function scalarOf(value: string): string | number | boolean {
  if (value === "true" || value === "false") return value === "true";
  return value.trim() !== "" && Number.isFinite(Number(value)) ? Number(value) : value;
}
