/**
 * One server: connected, lost, reconnected. A lost server is reconnected at the next call, with
 * growing pauses, and its tools stay listed meanwhile. Every wait is bounded, and a closed
 * connection leaves no process behind.
 *
 * disconnected ──call──▶ connecting ──▶ connected ──lost──▶ disconnected;  any ──close──▶ closed
 */
import { withoutUndefined } from "@callboard/run-log/values";
import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { expandedConfig } from "./config.js";
import {
  callFailureOf,
  connectionFailureOf,
  isRefusedUnseen,
  loginNeededIn,
  mcpFailureReason,
} from "./failures.js";
import { type LiveServer, openServer } from "./liveServer.js";
import { loginAddressOf } from "./loginByBrowser.js";
import type { McpLogins } from "./logins.js";
import { createCallsInFlight, type RemoteCall } from "./remoteCall.js";
import type { RemoteTool } from "./remoteTool.js";
import type { Environment, McpServerConfig } from "./serverConfig.js";
import type { McpServerStatus } from "./serverStatus.js";
import { settledOrAborted } from "./waiting.js";

export interface ServerOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly env: Environment;
  /** Whether a call can ask the person: only then do servers learn that they may ask. */
  readonly canAsk: boolean;
  /** The logins of the user that the servers work for. */
  readonly logins: McpLogins;
  /** How they log in at a server of this name, for errors. */
  readonly howToLogIn: (server: string) => string;
  /** The login page for a server of this address. Absent if there is none. */
  readonly loginPage?: (address: string) => string;
}

export interface ServerConnection {
  readonly name: string;
  /** The user has marked the hints of this server as trusted. */
  readonly trustsHints: boolean;
  readonly timeoutMs: number;
  tools(): readonly RemoteTool[];
  status(): McpServerStatus;
  /** It is not connected for want of a login. */
  needsLogin(): boolean;
  /** Where the person logs in there; undefined if there is no such page. */
  loginUrl(): string | undefined;
  /** Resolves once it is connected. Throws a ToolFailure as `call` does. */
  reach(signal: AbortSignal): Promise<void>;
  /** Never rejects: the status contains the result. */
  connect(): Promise<void>;
  /** Throws a ToolFailure: `mcp_connection`, `mcp_remote`, `timeout` or `cancelled`. */
  call(call: RemoteCall): Promise<CallToolResult>;
  close(): Promise<void>;
}

function spokenBy({ client }: LiveServer): Pick<McpServerStatus, "protocolVersion"> {
  const protocolVersion = client.getNegotiatedProtocolVersion();
  return withoutUndefined({ protocolVersion });
}

type State =
  | {
      readonly type: "disconnected";
      readonly reason: string | undefined;
      readonly needsLogin?: boolean;
    }
  | { readonly type: "connecting"; readonly opening: Promise<LiveServer> }
  | { readonly type: "connected"; readonly live: LiveServer }
  | { readonly type: "closed" };

const attempts = 3;
const firstPauseMs = 500;

export function createServerConnection(
  name: string,
  config: McpServerConfig,
  { logger, clock, env, canAsk, logins, howToLogIn, loginPage }: ServerOptions,
): ServerConnection {
  const timeoutMs = config.timeoutMs ?? 120_000;
  const calls = createCallsInFlight({ server: name, timeoutMs, clock, reach: found });
  let state: State = { type: "disconnected", reason: undefined };
  let tools: readonly RemoteTool[] = [];

  function opened(): Promise<LiveServer> {
    const opening = Promise.resolve().then(open);
    state = { type: "connecting", opening };
    return opening;
  }

  async function open(): Promise<LiveServer> {
    try {
      const live = await openServer(name, expandedConfig(config, env), {
        logger,
        clock,
        env,
        ...{ canAsk, logins, howToLogIn },
        onElicit: canAsk ? calls.elicit : undefined,
        onTools: (listed) => {
          tools = listed;
        },
        onLost: (lost, reason) => {
          if (state.type !== "connected" || state.live !== lost) return;
          state = { type: "disconnected", reason };
          logger.warn(`The MCP server ${name} is gone.`, { server: name, reason });
        },
      });
      if (state.type === "closed") {
        await live.close();
        throw new Error("The connection was closed.");
      }
      state = { type: "connected", live };
      return live;
    } catch (error) {
      const needsLogin = loginNeededIn(error) !== undefined;
      if (state.type !== "closed") {
        state = { type: "disconnected", reason: mcpFailureReason(error), needsLogin };
      }
      throw error;
    }
  }

  /** The server, reconnected with growing pauses if it is lost. */
  async function found(signal: AbortSignal): Promise<LiveServer> {
    let lastError: unknown;
    for (let attempt = 0; attempt < attempts && !signal.aborted; attempt += 1) {
      if (attempt > 0) await clock.sleep(firstPauseMs * 2 ** (attempt - 1), signal);
      if (signal.aborted) break;
      try {
        return await settledOrAborted(liveOrOpening(), signal);
      } catch (error) {
        if (error instanceof ToolFailure) throw error;
        const login = loginNeededIn(error);
        if (login !== undefined) throw new ToolFailure("mcp_login", login.message);
        lastError = error;
        logger.info(`Connecting to the MCP server ${name} failed.`, {
          server: name,
          attempt: attempt + 1,
          reason: mcpFailureReason(error),
        });
      }
    }
    if (signal.aborted) throw new ToolFailure("cancelled", "The call was cancelled.");
    throw connectionFailureOf(name, `could not be reached: ${mcpFailureReason(lastError)}`, true);
  }

  async function liveOrOpening(): Promise<LiveServer> {
    switch (state.type) {
      case "connected":
        return state.live.client.transport === undefined ? await opened() : state.live;
      case "connecting":
        return await state.opening;
      case "disconnected":
        return await opened();
      case "closed":
        throw connectionFailureOf(name, "is closed", false);
      default:
        return state satisfies never;
    }
  }

  async function call(request: RemoteCall, isSecondTry = false): Promise<CallToolResult> {
    const live = await found(request.signal);
    try {
      return await calls.make(live, request);
    } catch (error) {
      if (isRefusedUnseen(error)) {
        await live.abandon(mcpFailureReason(error));
        if (!isSecondTry) return await call(request, true);
      }
      throw callFailureOf(error, { name, live, request });
    }
  }

  return {
    name,
    timeoutMs,
    trustsHints: config.trustHints ?? false,
    tools: () => tools,
    status: () => ({
      name,
      status: state.type,
      tools: tools.length,
      ...(state.type === "connected" ? spokenBy(state.live) : {}),
      ...(state.type === "disconnected" && state.reason !== undefined
        ? { reason: state.reason }
        : {}),
    }),
    needsLogin: () => state.type === "disconnected" && state.needsLogin === true,
    loginUrl() {
      const address = loginAddressOf(config, env);
      return address === undefined ? undefined : loginPage?.(address);
    },
    async reach(signal) {
      await found(signal);
    },
    async connect() {
      try {
        await liveOrOpening();
      } catch (error) {
        logger.warn(`Connecting to the MCP server ${name} failed; retrying with the next call.`, {
          server: name,
          reason: mcpFailureReason(error),
        });
      }
    },
    call: (request) => call(request),
    async close() {
      const last = state;
      state = { type: "closed" };
      if (last.type === "connected") await last.live.close();
      if (last.type === "connecting")
        await last.opening.catch((error: unknown) => {
          logger.debug(`The MCP server ${name} was closed while connecting.`, {
            reason: mcpFailureReason(error),
          });
        });
    },
  };
}
