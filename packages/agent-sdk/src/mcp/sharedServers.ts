/**
 * MCP servers that several agents share: give each agent `tools()`, and close the servers when they are no longer
 * needed. Their secret settings stay out of the log.
 */

import { withoutUndefined } from "@callboard/run-log/values";
import { createRedactor } from "../redaction/redaction.js";
import { redactingLogger } from "../system/loggers.js";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";
import { connectMcpServers, type McpConnections } from "./index.js";
import { createMemoryLogins, type McpLogins } from "./logins.js";
import type { Environment, McpServerConfig } from "./serverConfig.js";
import { serverSecrets } from "./serverSecrets.js";

export interface SharedServersOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly env: Environment;
  /** Whether the agents that use them can ask a person (`ask_user`). Default false. */
  readonly canAsk?: boolean;
  /** The logins of the user. Default none. */
  readonly logins?: McpLogins;
  /** How they log in, for errors. */
  readonly howToLogIn?: (server: string) => string;
  /** The page on which they log in at a server of this address. Default none. */
  readonly loginPage?: (address: string) => string;
}

export function openMcpServers(
  configs: Readonly<Record<string, McpServerConfig>>,
  options: SharedServersOptions,
): Promise<McpConnections> {
  const { logger, clock, env, canAsk = false, logins = createMemoryLogins() } = options;
  const { howToLogIn = () => "This program has no way to log in there." } = options;
  const redactor = createRedactor({ env, values: serverSecrets(configs) });
  const told = redactingLogger(logger, redactor);
  const { loginPage } = options;
  return connectMcpServers(configs, {
    ...{ logger: told, clock, env, canAsk, logins, howToLogIn },
    ...withoutUndefined({ loginPage }),
  });
}
