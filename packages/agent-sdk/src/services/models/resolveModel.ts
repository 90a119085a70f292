/**
 * From `provider:model` and the environment to a language model. It reads the environment it is
 * given and nothing else; what is missing it says exactly. It makes no request.
 */
import { ConfigurationError } from "../../modelError.js";
import type { LanguageModel, ModelOrigin } from "../../types/model.js";
import { originOf } from "../../utils/modelOrigin.js";
import { createAnthropicModel } from "./anthropic.js";
import { createGoogleModel } from "./google.js";
import { createOpenaiModel } from "./openaiCompatible.js";
import { createRehearsalModel } from "./rehearsal.js";

export type { LanguageModel } from "../../types/model.js";

export interface ResolvedModel {
  readonly model: LanguageModel;
  readonly provider: string;
  readonly modelId: string;
  /** What people are shown. */
  readonly label: string;
  readonly isRehearsal: boolean;
  /** Where it answers from: what a model wants back goes nowhere else. */
  readonly origin: ModelOrigin;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface ProviderEntry {
  readonly keyName: string;
  readonly urlName: string;
  readonly example: string;
  /** A server of one's own may ask for no key. */
  readonly needsKeyAt: (baseUrl: string | undefined) => boolean;
  readonly create: (
    modelId: string,
    settings: { readonly apiKey: string | undefined; readonly baseUrl?: string },
  ) => LanguageModel;
}

const providers: Readonly<Record<string, ProviderEntry>> = {
  openai: {
    keyName: "OPENAI_API_KEY",
    urlName: "OPENAI_BASE_URL",
    example: "openai:gpt-5",
    needsKeyAt: (baseUrl) => baseUrl === undefined,
    create: (modelId, { apiKey, ...rest }) =>
      createOpenaiModel({ modelId, ...(apiKey === undefined ? {} : { apiKey }), ...rest }),
  },
  anthropic: {
    keyName: "ANTHROPIC_API_KEY",
    urlName: "ANTHROPIC_BASE_URL",
    example: "anthropic:claude-sonnet-4-5",
    needsKeyAt: () => true,
    create: (modelId, { apiKey = "", ...rest }) =>
      createAnthropicModel({ modelId, apiKey, ...rest }),
  },
  google: {
    keyName: "GOOGLE_GENERATIVE_AI_API_KEY",
    urlName: "GOOGLE_GENERATIVE_AI_BASE_URL",
    example: "google:gemini-2.5-pro",
    needsKeyAt: () => true,
    create: (modelId, { apiKey = "", ...rest }) => createGoogleModel({ modelId, apiKey, ...rest }),
  },
};

/** Without a spec the model is what CALLBOARD_MODEL says, else the rehearsal. */
export function resolveModel(
  spec: string | LanguageModel | undefined,
  env: Environment,
): ResolvedModel {
  if (typeof spec === "object") return resolved(spec);
  const said = spec?.trim() || env.CALLBOARD_MODEL?.trim() || "rehearsal";
  if (said === "rehearsal" || said.startsWith("rehearsal:"))
    return resolved(createRehearsalModel());
  const colon = said.indexOf(":");
  const name = colon === -1 ? "" : said.slice(0, colon);
  const modelId = said.slice(colon + 1);
  const entry = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (entry === undefined) throw unknownModel(said, name);
  if (modelId === "") {
    throw new ConfigurationError(`"${said}" names no model. Write for example ${entry.example}.`);
  }
  const apiKey = env[entry.keyName]?.trim() || undefined;
  const baseUrl = checkedUrl(entry.urlName, env[entry.urlName]?.trim() || undefined);
  if (apiKey === undefined && entry.needsKeyAt(baseUrl)) throw missingKey(said, entry);
  return resolved(entry.create(modelId, { apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) }));
}

function resolved(model: LanguageModel): ResolvedModel {
  const { provider, modelId } = model;
  const isRehearsal = provider === "rehearsal";
  const label = isRehearsal ? "rehearsal (scripted, no model)" : `${provider}:${modelId}`;
  return { model, provider, modelId, label, isRehearsal, origin: originOf(model) };
}

function checkedUrl(name: string, url: string | undefined): string | undefined {
  if (url === undefined || /^https?:\/\//.test(url)) return url;
  throw new ConfigurationError(
    `${name} is "${url}", which is no URL. Set it to one that begins with http.`,
  );
}

function unknownModel(said: string, name: string): ConfigurationError {
  const known = Object.values(providers).map(({ example }) => example);
  const what = name === "" ? `"${said}" names no provider` : `There is no provider "${name}"`;
  const how = `Write provider:model, for example ${known.join(", ")}, or rehearsal`;
  return new ConfigurationError(`${what}. ${how}.`);
}

function missingKey(
  said: string,
  { keyName, urlName, needsKeyAt }: ProviderEntry,
): ConfigurationError {
  const local = needsKeyAt("set") ? "" : ` (or ${urlName} to a server that needs no key)`;
  return new ConfigurationError(
    `${said} needs a key: set ${keyName}${local}, or set CALLBOARD_MODEL=rehearsal to try Callboard without a model.`,
  );
}
