/**
 * From `provider:model?options` and the environment to a language model. It reads only the given environment, and its
 * errors name exactly what is missing. It makes no request.
 */

import { withoutUndefined } from "@callboard/run-log/values";
import type { LanguageModel, ModelOrigin, ModelSettings } from "../types/model.js";
import { ConfigurationError } from "../utils/configurationError.js";
import { originOf } from "./modelOrigin.js";
import { type ModelSpec, modelSpecOf } from "./modelSpec.js";
import { type Environment, type ProviderEntry, providers } from "./providers.js";
import { mergedOptions } from "./reasoningOptions.js";
import { createRehearsalModel } from "./rehearsal.js";

export type { LanguageModel } from "../types/model.js";

export interface ResolvedModel {
  readonly model: LanguageModel;
  readonly provider: string;
  readonly modelId: string;
  /** The name for people. */
  readonly label: string;
  readonly isRehearsal: boolean;
  /** Where it answers from: what a model wants back goes nowhere else. */
  readonly origin: ModelOrigin;
  /** The settings of its requests. */
  readonly settings: ModelSettings;
}

/**
 * Without a spec the model is that of CALLBOARD_MODEL, otherwise that of the first provider with a key, otherwise the
 * rehearsal. `settings` take precedence over options in the spec.
 */
export function resolveModel(
  spec: string | LanguageModel | undefined,
  env: Environment,
  settings: ModelSettings = {},
): ResolvedModel {
  if (typeof spec === "object") return resolved(spec, settings);
  const said = spec?.trim() || env.CALLBOARD_MODEL?.trim() || selectedByKey(env) || "rehearsal";
  const parsed = modelSpecOf(said);
  if (said === "rehearsal" || parsed.provider === "rehearsal") {
    return resolved(createRehearsalModel(), settings);
  }
  const { provider, modelId } = parsed;
  const entry = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (entry === undefined) throw unknownModel(said, provider);
  if (modelId === "") {
    throw new ConfigurationError(`"${said}" names no model. Write for example ${entry.example}.`);
  }
  return resolved(created(said, parsed, entry, env), joinedSettings(parsed.settings, settings));
}

function created(
  said: string,
  { modelId, api }: ModelSpec,
  entry: ProviderEntry,
  env: Environment,
): LanguageModel {
  const apiKey = keyIn(env, entry);
  const { urlName } = entry;
  const baseUrl = urlName && checkedUrl(urlName, env[urlName]?.trim() || undefined);
  if (apiKey === undefined && entry.needsKeyAt(baseUrl)) throw missingKey(said, entry);
  return entry.create({
    modelId,
    env,
    ...withoutUndefined({ apiKey }),
    ...(baseUrl ? { baseUrl } : {}),
    ...withoutUndefined({ api }),
  });
}

function keyIn(env: Environment, { keyNames }: ProviderEntry): string | undefined {
  return keyNames.map((name) => env[name]?.trim()).find((key) => key);
}

function selectedByKey(env: Environment): string | undefined {
  for (const [name, entry] of Object.entries(providers)) {
    if (entry.defaultModel !== undefined && keyIn(env, entry) !== undefined) {
      return `${name}:${entry.defaultModel}`;
    }
  }
  return undefined;
}

function joinedSettings(first: ModelSettings, second: ModelSettings): ModelSettings {
  const providerOptions = mergedOptions(first.providerOptions ?? {}, second.providerOptions ?? {});
  const headers = { ...first.headers, ...second.headers };
  return {
    ...first,
    ...second,
    ...(Object.keys(providerOptions).length === 0 ? {} : { providerOptions }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

function resolved(model: LanguageModel, settings: ModelSettings): ResolvedModel {
  const { provider, modelId } = model;
  const isRehearsal = provider === "rehearsal";
  const label = isRehearsal ? "rehearsal (scripted, no model)" : `${provider}:${modelId}`;
  return { model, provider, modelId, label, isRehearsal, origin: originOf(model), settings };
}

function checkedUrl(name: string, url: string | undefined): string | undefined {
  if (url === undefined || /^https?:\/\//.test(url)) return url;
  throw new ConfigurationError(
    `${name} is "${url}", which is not a URL. Set it to one that starts with http.`,
  );
}

function unknownModel(said: string, name: string): ConfigurationError {
  const known = Object.keys(providers).join(", ");
  const what = name === "" ? `"${said}" names no provider` : `There is no provider "${name}"`;
  const how = `Write provider:model, for example ${providers.anthropic?.example}, or rehearsal.`;
  return new ConfigurationError(`${what}. ${how} The providers are ${known}.`);
}

function missingKey(
  said: string,
  { keyNames, urlName, needsKeyAt }: ProviderEntry,
): ConfigurationError {
  const local = needsKeyAt("set") ? "" : ` (or ${urlName} to a server that needs no key)`;
  return new ConfigurationError(
    `${said} needs a key: set ${keyNames[0]}${local}, or set CALLBOARD_MODEL=rehearsal to try Callboard without a model.`,
    { isMissingKey: true },
  );
}
