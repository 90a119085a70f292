/** What went wrong with a server or a call, in words that a model and a person can act on. */
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ToolFailure } from "../toolFailure.js";
import type { LiveServer } from "./liveServer.js";
import type { RemoteCall } from "./serverConnection.js";

/** The message without the protocol's number before it, and with the cause behind a bare one. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.replace(/^(?:MCP error -?\d+: )+/, "");
  if (!(error.cause instanceof Error)) return message;
  const cause = reasonOf(error.cause);
  return message.includes(cause) ? message : `${message} (${cause})`;
}

export function connectionFailureOf(
  server: string,
  what: string,
  isRetryable: boolean,
  cause?: unknown,
): ToolFailure {
  return new ToolFailure("mcp_connection", `The MCP server ${server} ${what}`, {
    isRetryable,
    suggestion: `Check that the MCP server ${server} runs and is configured well. It is looked for again with the next call; go on without its tools where you can.`,
    cause,
  });
}

/** The server turned the request away before reading it: another session may make it again. */
export function isRefusedUnseen(error: unknown): boolean {
  if (error instanceof StreamableHTTPError) {
    return error.code === 404 || (error.code === 400 && /session/i.test(error.message));
  }
  return error instanceof Error && codeOf(error.cause) === "ECONNREFUSED";
}

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

export function callFailureOf(
  error: unknown,
  { name, live, request }: { name: string; live: LiveServer; request: RemoteCall },
): ToolFailure {
  if (request.signal.aborted) return new ToolFailure("cancelled", "The call was cancelled.");
  if (error instanceof ToolFailure) return error;
  const reason = reasonOf(error);
  if (error instanceof McpError && error.code === ErrorCode.RequestTimeout) {
    return new ToolFailure("timeout", `The MCP server ${name} stayed silent for too long.`, {
      isRetryable: request.isRepeatable,
      cause: error,
    });
  }
  const isRemote = error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
  if (isRemote) return new ToolFailure("mcp_remote", reason, { cause: error });
  const lastWords = live.lastWords();
  const heard = lastWords === "" ? "" : ` Last output on stderr: ${lastWords}`;
  const what = `disconnected during the call: ${reason}.${heard}`;
  return connectionFailureOf(name, what, request.isRepeatable, error);
}
