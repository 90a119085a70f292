/** The MCP servers that a client names, as the agent connects to them. */
import type { McpServerConfig } from "@callboard/agent-sdk";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { SessionRefusedError } from "./sessionRefused.js";

/** Throws on an unsupported transport, naming it. */
export function mcpConfigsOf(
  servers: readonly JsonValue[],
): Readonly<Record<string, McpServerConfig>> {
  return Object.fromEntries(
    servers.flatMap((server): [string, McpServerConfig][] =>
      isJsonObject(server) ? [[String(server.name), configOf(server)]] : [],
    ),
  );
}

function configOf(server: JsonObject): McpServerConfig {
  const { type, command, url } = server;
  if ((type === "http" || type === "sse") && typeof url === "string") {
    return { type, url: escapedDollar(url), headers: pairsOf(server.headers) };
  }
  if (typeof command === "string") {
    const args = isJsonList(server.args)
      ? server.args.map((arg) => escapedDollar(String(arg)))
      : [];
    return { command: escapedDollar(command), args, env: pairsOf(server.env) };
  }
  throw new SessionRefusedError(
    `The MCP server ${String(server.name)} uses ${String(type)}, which is not supported: use stdio, http or sse.`,
  );
}

function pairsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  const pairs = isJsonList(value) ? value : [];
  return Object.fromEntries(
    pairs.flatMap((pair): [string, string][] =>
      isJsonObject(pair) ? [[String(pair.name), escapedDollar(String(pair.value))]] : [],
    ),
  );
}

/** A client means its words as they are; the agent's own configuration knows variables. */
function escapedDollar(text: string): string {
  return text.replaceAll("${", `${dollar}{`);
}

/** An unset variable, with the sign itself as its default. */
const dollar = `$${"{CALLBOARD_DOLLAR:-$}"}`;
