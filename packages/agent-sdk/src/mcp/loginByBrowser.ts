/** Login and logout at an MCP server. The protocol's package is loaded on demand. */
import { expandedConfig, isHttpConfig } from "./config.js";
import type { BegunLogin, LoopbackLoginOptions, McpLoginOptions } from "./login.js";
import type { McpLogins } from "./logins.js";
import type { McpServerConfig } from "./serverConfig.js";

/** Logs in with a browser on this machine. Rejects if the server is a program, refuses, or the signal aborts. */
export async function logInAtMcpServer(
  name: string,
  config: McpServerConfig,
  options: LoopbackLoginOptions,
): Promise<void> {
  const { logInByLoopback } = await import("./login.js");
  await logInByLoopback(name, config, options);
}

export interface McpLoginRequest {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Where the answer comes to. */
  readonly redirectUrl: string;
  /** The `state` of the answer; hard to guess. */
  readonly state: string;
}

/** Starts a login whose answer comes to an address of the caller's. Whoever gets it finishes it with the `checks`. */
export async function beginLoginAtMcpServer(
  { name, config, redirectUrl, state }: McpLoginRequest,
  options: Pick<McpLoginOptions, "clock" | "env">,
): Promise<BegunLogin> {
  const { beginMcpLogin } = await import("./login.js");
  return beginMcpLogin(name, config, redirectUrl, { ...options, state });
}

/** `checks` from the start of the login, possibly of another process. Rejects if the answer does not match them. */
export async function finishLoginAtMcpServer(
  config: McpServerConfig,
  checks: unknown,
  answer: URLSearchParams,
  options: McpLoginOptions,
): Promise<void> {
  const { finishMcpLogin, parseMcpLoginChecks } = await import("./login.js");
  const parsed = parseMcpLoginChecks(checks);
  if (parsed === undefined) throw new Error("This login was started elsewhere: start again.");
  await finishMcpLogin(config, parsed, answer, options);
}

/** Whether people may log in there: it is at an address, and no fixed token is sent to it. */
export function takesLogins(config: McpServerConfig): boolean {
  if (!isHttpConfig(config)) return false;
  return !Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === "authorization");
}

/** The address under which a login is stored; undefined if the server has no login. Throws if a variable of it is not set. */
export function loginAddressOf(
  config: McpServerConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!takesLogins(config)) return undefined;
  const expanded = expandedConfig(config, env);
  return isHttpConfig(expanded) ? expanded.url : undefined;
}

/** Removes the login at a server. False if there was none. */
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
