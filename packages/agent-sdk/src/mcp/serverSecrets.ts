/** What servers are told that nobody else may know. `Bearer` and its like are no part of it. */
import { secretValuesIn } from "../utils/redaction.js";
import { isHttpConfig, type McpServerConfig } from "./config.js";

export function serverSecrets(
  servers: Readonly<Record<string, McpServerConfig>>,
): readonly string[] {
  return Object.values(servers)
    .flatMap((config) => secretValuesIn((isHttpConfig(config) ? config.headers : config.env) ?? {}))
    .map((value) => value.replace(/^\w+ /, ""));
}
