/** `callboard config`: every setting, its value and its source. For secrets it only shows whether they are set. */
import { createRedactor } from "@callboard/agent-sdk";
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { warnOfIgnored } from "../commands/warnOfIgnored.js";
import { jsonLineOf } from "../door/jsonLine.js";
import { span } from "../door/spans.js";
import { exactText } from "../door/terminalText.js";
import { readSettings } from "../settings/readSettings.js";
import type { SettingName } from "../settings/settings.js";
import type { World } from "../world.js";

/** The environment variables of providers; only whether they are set is shown. */
export const providerVariables = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "GOOGLE_GENERATIVE_AI_BASE_URL",
] as const;

export async function showConfig(
  world: World,
  { showOrigin, json }: { readonly showOrigin: boolean; readonly json: boolean },
): Promise<void> {
  const { env, cwd, door } = world;
  const read = await readSettings({ env, cwd, flags: {} });
  warnOfIgnored(door, read.ignored, read.projectFile);
  const settings = shownSettings(read.settings);
  if (json) {
    const { origins, userFile, projectFile } = read;
    door.out.json({ settings, ...(showOrigin ? { origins } : {}), userFile, projectFile });
    return;
  }
  for (const [name, value] of Object.entries(settings)) {
    const origin = originOf(name, read.origins);
    door.out.line([
      span(`${name} `, "accent"),
      span(value === null ? "(not set)" : jsonLineOf(value)),
      span(showOrigin ? `  # ${origin}` : "", "dim"),
    ]);
  }
  for (const name of providerVariables) {
    const isSet = Boolean(env[name]?.trim());
    door.out.line([
      span(`${name} `, "accent"),
      span(isSet ? "(set)" : "(not set)"),
      span(showOrigin && isSet ? "  # environment" : "", "dim"),
    ]);
  }
}

function originOf(name: string, origins: Readonly<Record<SettingName, readonly string[]>>): string {
  const found = Object.entries(origins).find(([key]) => key === name)?.[1] ?? [];
  return found.length === 0 ? "default" : found.map(exactText).join(", ");
}

/** As JSON, without secrets: servers may be given some in their environment or headers. */
function shownSettings(settings: object): JsonObject {
  const plain: JsonValue = JSON.parse(
    JSON.stringify(settings, (_, value: unknown) => (value === undefined ? null : value)),
  );
  const redacted = createRedactor().redactJson(plain);
  if (!isJsonObject(redacted) || !isJsonObject(redacted.mcpServers)) return {};
  return { ...redacted, mcpServers: withoutValues(redacted.mcpServers) };
}

/** The values of a server's `env` and `headers` are not shown. */
function withoutValues(servers: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      if (!isJsonObject(server)) return [name, server];
      const fields = Object.entries(server).map(([field, value]) => {
        if ((field !== "env" && field !== "headers") || !isJsonObject(value)) return [field, value];
        return [field, Object.fromEntries(Object.keys(value).map((key) => [key, "(set)"]))];
      });
      return [name, Object.fromEntries(fields)];
    }),
  );
}
