/** Logging in at an MCP server, and out. The protocol's package is loaded when somebody does. */
import type { LoopbackLoginOptions } from "./login.js";
import type { McpLogins } from "./logins.js";
import type { McpServerConfig } from "./serverConfig.js";

/** Logs in with a browser on this machine. Rejects where the server is a program, refuses, or the signal aborts. */
export async function logInAtMcpServer(
  name: string,
  config: McpServerConfig,
  options: LoopbackLoginOptions,
): Promise<void> {
  const { logInByLoopback } = await import("./login.js");
  await logInByLoopback(name, config, options);
}

/** Forgets the login at a server. False where there was none. */
export async function logOutAtMcpServer(
  config: McpServerConfig,
  options: {
    readonly logins: McpLogins;
    readonly env: Readonly<Record<string, string | undefined>>;
  },
): Promise<boolean> {
  const { forgetMcpLogin } = await import("./login.js");
  return forgetMcpLogin(config, options);
}
