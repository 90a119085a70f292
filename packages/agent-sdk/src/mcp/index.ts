/**
 * MCP servers as tools of an agent. All are connected side by side; one that fails is a status and a
 * log line, never a reason not to start.
 */
import type { ToolDefinition } from "../types/tools.js";
import type { McpServerConfig } from "./serverConfig.js";
import type { ServerOptions } from "./serverConnection.js";
import type { McpServerStatus } from "./serverStatus.js";
import { toolNameOf } from "./toolNames.js";

export type { McpServerConfig } from "./serverConfig.js";
export type { McpServerStatus } from "./serverStatus.js";

export interface McpConnections {
  /** As the servers list them now; those of a lost server stay. */
  tools(): readonly ToolDefinition[];
  status(): readonly McpServerStatus[];
  /** Ends every session and every process that was started. */
  close(): Promise<void>;
}

const none: McpConnections = {
  tools: () => [],
  status: () => [],
  close: () => Promise.resolve(),
};

export async function connectMcpServers(
  configs: Readonly<Record<string, McpServerConfig>>,
  options: ServerOptions,
): Promise<McpConnections> {
  if (Object.keys(configs).length === 0) return none;
  // Loaded only here, because most agents have no server and the protocol's package takes long to load.
  const { createServerConnection } = await import("./serverConnection.js");
  const { mcpToolOf } = await import("./mcpTool.js");
  const { logInToolOf } = await import("./loginQuestion.js");
  const servers = Object.entries(configs).map(([name, config]) =>
    createServerConnection(name, config, options),
  );
  await Promise.all(servers.map((server) => server.connect()));
  return {
    tools() {
      const taken = new Set<string>();
      return servers.flatMap((server) => {
        const tools = server.tools();
        if (options.canAsk && tools.length === 0 && server.needsLogin() && server.loginUrl()) {
          return [logInToolOf(toolNameOf(server.name, "log_in", taken), server)];
        }
        return tools.map((tool) =>
          mcpToolOf(toolNameOf(server.name, tool.name, taken), tool, server),
        );
      });
    },
    status: () => servers.map((server) => server.status()),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
