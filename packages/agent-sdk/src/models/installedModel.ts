/** Models of providers whose AI SDK package the user installs: it is searched here and in the working folder. */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { LanguageModel } from "../types/model.js";
import { ConfigurationError } from "../utils/configurationError.js";

/** `maker` is the package's export that makes a provider; `major` is the version that is known to work. */
export function installedModel(
  provider: string,
  modelId: string,
  packageName: string,
  maker: string,
  major: string,
): LanguageModel {
  const found: unknown = loaded(packageName);
  if (found === undefined) {
    throw new ConfigurationError(
      `${provider}:${modelId} needs the package ${packageName}. Install it: npm install ${packageName}@${major}`,
    );
  }
  const create: unknown = Object(found)[maker];
  const made: unknown = typeof create === "function" ? create() : undefined;
  const model: unknown = typeof made === "function" ? made(modelId) : undefined;
  if (isModel(model)) return model;
  throw new ConfigurationError(
    `${packageName} gave no language model for "${modelId}". Install version ${major} of it: npm install ${packageName}@${major}`,
  );
}

function loaded(packageName: string): unknown {
  for (const from of [import.meta.url, join(process.cwd(), "package.json")]) {
    try {
      return createRequire(from)(packageName);
    } catch (error) {
      if (!isMissingPackage(error, packageName)) throw error;
    }
  }
  return undefined;
}

function isMissingPackage(error: unknown, packageName: string): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    error.code === "MODULE_NOT_FOUND" &&
    error.message.includes(packageName)
  );
}

function isModel(value: unknown): value is LanguageModel {
  if (typeof value !== "object" || value === null || !("specificationVersion" in value))
    return false;
  return value.specificationVersion === "v3" || value.specificationVersion === "v4";
}
