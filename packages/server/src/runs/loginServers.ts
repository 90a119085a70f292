/** The MCP servers of the configured agents at which users can log in: each address once, with the agents that use it. */

import type { Logger } from "@callboard/agent-sdk";
import { loginAddressOf, loginKey } from "@callboard/agent-sdk/mcp";
import { messageOfError } from "@callboard/run-log/values";
import type { AgentDirectory, ServedAgent } from "./servedAgent.js";

type McpServerConfig = NonNullable<ServedAgent["mcpServers"]>[string];

export interface LoginServer {
  readonly name: string;
  readonly url: string;
  readonly config: McpServerConfig;
  /** Names of the agents that use it. */
  readonly agents: readonly string[];
}

export function loginServersOf(
  directory: AgentDirectory,
  env: Readonly<Record<string, string | undefined>>,
  logger: Logger,
): readonly LoginServer[] {
  const found = new Map<string, LoginServer>();
  for (const [agent, { mcpServers = {} }] of directory.agents) {
    for (const [name, config] of Object.entries(mcpServers)) {
      const url = addressOf(name, config);
      if (url === undefined) continue;
      const { agents = [] } = found.get(loginKey(url)) ?? {};
      found.set(loginKey(url), { name, url, config, agents: [...agents, agent] });
    }
  }
  return [...found.values()];

  function addressOf(name: string, config: McpServerConfig): string | undefined {
    try {
      return loginAddressOf(config, env);
    } catch (error) {
      const reason = messageOfError(error);
      logger.warn(`The MCP server ${name} cannot be used as it is configured.`, { reason });
      return undefined;
    }
  }
}
