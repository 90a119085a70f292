/**
 * MCP servers that several agents use: give each of them `tools()`, and close them when nobody needs them
 * any more. What they are configured with in secret stays out of the log.
 */
import { redactingLogger } from "../loggers.js";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";
import { createRedactor } from "../utils/redaction.js";
import { connectMcpServers, type McpConnections } from "./index.js";
import type { Environment, McpServerConfig } from "./serverConfig.js";
import { serverSecrets } from "./serverSecrets.js";

export interface SharedServersOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly env: Environment;
}

export function openMcpServers(
  configs: Readonly<Record<string, McpServerConfig>>,
  { logger, clock, env }: SharedServersOptions,
): Promise<McpConnections> {
  const redactor = createRedactor({ env, values: serverSecrets(configs) });
  return connectMcpServers(configs, { logger: redactingLogger(logger, redactor), clock, env });
}
