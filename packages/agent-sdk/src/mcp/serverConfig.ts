/** One server of a configuration: a program to start, or an address to connect to. */
interface SharedConfig {
  /** How long a call may stay silent; progress restarts the time. Default 120,000 ms. */
  readonly timeoutMs?: number;
  /** How long connecting and listing may take. Default 30,000 ms. */
  readonly connectTimeoutMs?: number;
  /**
   * Whether a tool that the server marks as read-only runs without approval. Default false: a server's own description
   * is not a permission.
   */
  readonly trustHints?: boolean;
}

export interface McpStdioConfig extends SharedConfig {
  readonly type?: "stdio";
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface McpHttpConfig extends SharedConfig {
  /** `sse` is the transport of servers from before 2025: one stream, and an address that it names. */
  readonly type?: "http" | "streamable-http" | "sse";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For servers that already know their clients. Other servers register this client at the login. */
  readonly oauth?: McpOAuthConfig;
}

export interface McpOAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The requested scopes, if they differ from those of the server. */
  readonly scope?: string;
}

/** How to reach an MCP server: a command, or an address. */
export type McpServerConfig = McpStdioConfig | McpHttpConfig;

export type Environment = Readonly<Record<string, string | undefined>>;
