/**
 * A server that is connected right now: the client that speaks to it, its list of tools kept fresh,
 * and its last words. It is used until it is lost or closed, and never again.
 */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  ErrorCode,
  McpError,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { isHttpConfig } from "./config.js";
import { reasonOf } from "./failures.js";
import { createHttpTransport } from "./httpTransport.js";
import { createOrderedTransport } from "./orderedTransport.js";
import { type RemoteTool, remoteToolSchema, toolPageSchema } from "./remoteTool.js";
import type { McpHttpConfig, McpServerConfig } from "./serverConfig.js";
import type { ServerOptions } from "./serverConnection.js";
import { createStdioTransport } from "./stdioTransport.js";
import { settledInTime } from "./waiting.js";

export interface LiveServer {
  readonly client: Client;
  /** The end of what the server wrote to stderr. */
  lastWords(): string;
  /** The server is of no more use: whoever waits for it is told, and `onLost` too. */
  abandon(reason: string): Promise<void>;
  close(): Promise<void>;
}

export interface LiveServerOptions extends ServerOptions {
  readonly onTools: (tools: readonly RemoteTool[]) => void;
  readonly onLost: (lost: LiveServer, reason: string) => void;
}

const keptWords = 2_000;
const mostPages = 100;
const pingMs = 5_000;
const farewellMs = 1_000;

interface StreamEnds {
  /** One stream of several ended. */
  readonly onStreamEnd: () => void;
  /** The only stream ended. */
  readonly onLastStreamEnd: () => void;
}

async function addressTransport(config: McpHttpConfig, ends: StreamEnds): Promise<Transport> {
  if (config.type !== "sse") return createHttpTransport(config, ends.onStreamEnd);
  // Few servers speak it, and it brings a package of its own.
  const { createSseTransport } = await import("./sseTransport.js");
  return createSseTransport(config, ends.onLastStreamEnd);
}

/** Rejects when the server cannot be started, does not answer in time or cannot list its tools. */
export async function openServer(
  name: string,
  config: McpServerConfig,
  options: LiveServerOptions,
): Promise<LiveServer> {
  const { logger, clock } = options;
  const client = new Client({ name: "callboard", version: "0.1.0" }, { capabilities: {} });
  let words = "";
  let lossReason = "The server ended.";

  const inner = isHttpConfig(config)
    ? await addressTransport(config, {
        onStreamEnd: () => void looksAlive(),
        onLastStreamEnd: () => void live.abandon("The server ended its stream."),
      })
    : createStdioTransport(config, {
        ...options,
        onStderr: (text) => {
          words = (words + text).slice(-keptWords);
          logger.debug(`The MCP server ${name} says:`, { server: name, text: text.trimEnd() });
        },
      });
  const live: LiveServer = {
    client,
    lastWords: () => words.trim(),
    async abandon(reason) {
      lossReason = reason;
      await client.close();
    },
    async close() {
      await farewell(inner);
      await client.close();
    },
  };
  client.onerror = (error) =>
    logger.debug(`The MCP server ${name}: ${reasonOf(error)}`, { server: name });
  client.onclose = () => options.onLost(live, lossReason);

  /** A broken stream may be a passing cut; a server that answers no ping is lost. */
  async function looksAlive(): Promise<void> {
    if (client.transport === undefined) return;
    try {
      await settledInTime(client.ping({ timeout: pingMs }), pingMs, clock);
    } catch (error) {
      const isAnswer =
        error instanceof McpError &&
        error.code !== ErrorCode.RequestTimeout &&
        error.code !== ErrorCode.ConnectionClosed;
      if (!isAnswer) await live.abandon(reasonOf(error));
    }
  }

  async function farewell(transport: Transport): Promise<void> {
    if (!(transport instanceof StreamableHTTPClientTransport)) return;
    try {
      await settledInTime(transport.terminateSession(), farewellMs, clock);
    } catch (error) {
      logger.debug(`The MCP server ${name} did not end the session: ${reasonOf(error)}`);
    }
  }

  async function refresh(): Promise<void> {
    options.onTools(await listedTools());
  }

  async function listedTools(): Promise<readonly RemoteTool[]> {
    if (client.getServerCapabilities()?.tools === undefined) return [];
    const tools: RemoteTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const listed = await client.request({ method: "tools/list", params }, toolPageSchema);
      for (const tool of listed.tools) {
        const read = remoteToolSchema.safeParse(tool);
        if (read.success) tools.push(read.data);
        else logger.warn(`The MCP server ${name} lists a tool that cannot be read.`, { tool });
      }
      cursor = listed.nextCursor;
      if (cursor === undefined) break;
    }
    return tools;
  }

  async function open(): Promise<void> {
    await client.connect(createOrderedTransport(inner));
    client.setNotificationHandler(ToolListChangedNotificationSchema, refresh);
    await refresh();
  }

  const opening = open();
  try {
    await settledInTime(opening, config.connectTimeoutMs ?? 30_000, clock);
    return live;
  } catch (error) {
    opening.catch((late: unknown) => logger.debug(`The MCP server ${name}: ${reasonOf(late)}`));
    await inner.close();
    const heard = words.trim() === "" ? "" : ` Its last words: ${words.trim()}`;
    throw new Error(`${reasonOf(error)}${heard}`, { cause: error });
  }
}
