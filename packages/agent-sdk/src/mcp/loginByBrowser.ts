/** Logging in at an MCP server, and out. The protocol's package is loaded when somebody does. */
import { expandedConfig, isHttpConfig } from "./config.js";
import type { BegunLogin, LoopbackLoginOptions, McpLoginOptions } from "./login.js";
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

export interface McpLoginRequest {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Where the answer comes to. */
  readonly redirectUrl: string;
  /** What the answer names; hard to guess. */
  readonly state: string;
}

/** Begins a login whose answer comes to an address of the caller's. Whoever gets it finishes it with the `checks`. */
export async function beginLoginAtMcpServer(
  { name, config, redirectUrl, state }: McpLoginRequest,
  options: Pick<McpLoginOptions, "clock" | "env">,
): Promise<BegunLogin> {
  const { beginMcpLogin } = await import("./login.js");
  return beginMcpLogin(name, config, redirectUrl, { ...options, state });
}

/** `checks` as they were begun with, perhaps in another process. Rejects where the answer does not fit them. */
export async function finishLoginAtMcpServer(
  config: McpServerConfig,
  checks: unknown,
  answer: URLSearchParams,
  options: McpLoginOptions,
): Promise<void> {
  const { finishMcpLogin, parseMcpLoginChecks } = await import("./login.js");
  const parsed = parseMcpLoginChecks(checks);
  if (parsed === undefined) throw new Error("This login was begun elsewhere: begin again.");
  await finishMcpLogin(config, parsed, answer, options);
}

/** Whether people may log in there: it is at an address, and no fixed token is sent to it. */
export function takesLogins(config: McpServerConfig): boolean {
  if (!isHttpConfig(config)) return false;
  return !Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === "authorization");
}

/** The address that a login is kept by; undefined where nobody logs in. Throws where a variable of it is not set. */
export function loginAddressOf(
  config: McpServerConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!takesLogins(config)) return undefined;
  const expanded = expandedConfig(config, env);
  return isHttpConfig(expanded) ? expanded.url : undefined;
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
