/** Failures of a server or a call, in a text that a model and a person can act on. */
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { ToolFailure } from "../utils/toolFailure.js";
import { brokenStreamCode } from "./httpTransport.js";
import type { LiveServer } from "./liveServer.js";
import { McpLoginNeededError } from "./logins.js";
import type { RemoteCall } from "./remoteCall.js";

/** The message without the protocol's number before it, and with the cause behind a bare one. */
export function mcpFailureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const login = loginNeededIn(error);
  if (login !== undefined) return login.message;
  const message = error.message.replace(/^(?:MCP error -?\d+: |Version negotiation failed: )+/, "");
  if (!(error.cause instanceof Error)) return message;
  const cause = mcpFailureReason(error.cause);
  return message.includes(cause) ? message : `${message} (${cause})`;
}

/** The error itself, or what it was caused by. */
export function loginNeededIn(error: unknown): McpLoginNeededError | undefined {
  if (error instanceof McpLoginNeededError) return error;
  return error instanceof Error ? loginNeededIn(error.cause) : undefined;
}

export function connectionFailureOf(
  server: string,
  what: string,
  isRetryable: boolean,
  cause?: unknown,
): ToolFailure {
  return new ToolFailure("mcp_connection", `The MCP server ${server} ${what}`, {
    isRetryable,
    suggestion: `Check that the MCP server ${server} runs and is configured well. The next call reconnects; continue without its tools if you can.`,
    cause,
  });
}

/** The server turned the request away before reading it: another session may make it again. */
export function isRefusedUnseen(error: unknown): boolean {
  if (error instanceof SdkHttpError) {
    return error.status === 404 || (error.status === 400 && /session/i.test(error.message));
  }
  return error instanceof Error && codeOf(error.cause) === "ECONNREFUSED";
}

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/** Whether the server itself sent this error. */
export function isAnswer(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code !== brokenStreamCode;
  return error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
}

const isTimeout = (error: unknown): boolean =>
  error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;

/** The server was silent for longer than allowed. */
export class SilenceError extends Error {
  override readonly name = "SilenceError";
}

export function callFailureOf(
  error: unknown,
  { name, live, request }: { name: string; live: LiveServer; request: RemoteCall },
): ToolFailure {
  if (request.signal.aborted) return new ToolFailure("cancelled", "The call was cancelled.");
  if (error instanceof ToolFailure) return error;
  const login = loginNeededIn(error);
  if (login !== undefined) return new ToolFailure("mcp_login", login.message, { cause: error });
  const reason = mcpFailureReason(error);
  if (error instanceof SilenceError || isTimeout(error)) {
    return new ToolFailure("timeout", `The MCP server ${name} stayed silent for too long.`, {
      isRetryable: request.isRepeatable,
      cause: error,
    });
  }
  if (isAnswer(error)) return new ToolFailure("mcp_remote", reason, { cause: error });
  const lastWords = live.lastWords();
  const heard = lastWords === "" ? "" : ` Last output on stderr: ${lastWords}`;
  const what = `disconnected during the call: ${reason}.${heard}`;
  return connectionFailureOf(name, what, request.isRepeatable, error);
}
