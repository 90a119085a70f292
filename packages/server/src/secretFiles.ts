/**
 * Secrets from files: `DATABASE_URL_FILE=/run/secrets/database` sets `DATABASE_URL` to the contents of that file.
 * Containers get secrets this way, so that they are in no environment that others can list.
 */

import { readFile } from "node:fs/promises";
import { messageOfError } from "@callboard/run-log/values";
import { ServerConfigurationError } from "./configurationError.js";

type Environment = Readonly<Record<string, string | undefined>>;

const named = new Set([
  "DATABASE_URL",
  "REDIS_URL",
  "CALLBOARD_JWT_SECRET",
  "CALLBOARD_LOGIN_KEY",
  "CALLBOARD_METRICS_TOKEN",
  "CALLBOARD_WEBHOOK_SECRET",
  "OTEL_EXPORTER_OTLP_HEADERS",
]);
const suffix = "_FILE";

/** The environment with the contents of the files that it names. Throws a ServerConfigurationError. */
export async function withSecretFiles(env: Environment): Promise<Environment> {
  const found: Record<string, string> = {};
  for (const [variable, path] of Object.entries(env)) {
    const name = variable.slice(0, -suffix.length);
    const isSecret = named.has(name) || name.endsWith("_API_KEY");
    if (!variable.endsWith(suffix) || !isSecret || !path) continue;
    if (env[name]) {
      const message = `${name} and ${variable} are both set. Unset one of them.`;
      throw new ServerConfigurationError(message);
    }
    found[name] = await secretFileText(variable, path);
  }
  return { ...env, ...found };
}

async function secretFileText(variable: string, path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    const reason = messageOfError(error);
    const message = `Cannot read the file that ${variable} names: ${reason}.`;
    throw new ServerConfigurationError(message, { cause: error });
  }
}
