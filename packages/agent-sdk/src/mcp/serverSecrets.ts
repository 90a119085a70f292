/** Secret values in the env and headers of MCP servers, for redaction. A scheme word such as `Bearer` is removed. */
import { secretValuesIn } from "../redaction/redaction.js";
import { isHttpConfig } from "./config.js";
import type { McpServerConfig } from "./serverConfig.js";

export function serverSecrets(
  servers: Readonly<Record<string, McpServerConfig>>,
): readonly string[] {
  return Object.values(servers)
    .flatMap((config) => [
      ...secretValuesIn((isHttpConfig(config) ? config.headers : config.env) ?? {}),
      ...secretValuesIn(isHttpConfig(config) ? { ...config.oauth } : {}),
    ])
    .map((value) => value.replace(/^\w+ /, ""));
}
