/**
 * A connected server: its client, its current list of tools, and its last output. It is used until it is lost or closed,
 * and never again.
 */
import { withoutUndefined } from "@callboard/run-log/values";
import {
  type AuthProvider,
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
  type VersionNegotiationMode,
} from "@modelcontextprotocol/client";
import { createAuthorization } from "./authorization.js";
import { isHttpConfig } from "./config.js";
import type { ElicitResult } from "./elicitation.js";
import { isAnswer, mcpFailureReason } from "./failures.js";
import { createHttpTransport, type StreamListener } from "./httpTransport.js";
import { createOrderedTransport } from "./orderedTransport.js";
import { tasksExtension } from "./remoteTask.js";
import type { RemoteTool } from "./remoteTool.js";
import type { McpHttpConfig, McpServerConfig } from "./serverConfig.js";
import type { ServerOptions } from "./serverConnection.js";
import { createStdioTransport } from "./stdioTransport.js";
import { remoteToolSchema, toolPageSchema } from "./toolListing.js";
import { settledInTime } from "./waiting.js";

export interface LiveServer {
  readonly client: Client;
  /** The end of what the server wrote to stderr. */
  lastWords(): string;
  /** The server is no longer usable: waiters are notified, and `onLost` is called. */
  abandon(reason: string): Promise<void>;
  close(): Promise<void>;
}

export interface LiveServerOptions extends ServerOptions {
  readonly onTools: (tools: readonly RemoteTool[]) => void;
  readonly onLost: (lost: LiveServer, reason: string) => void;
  /**
   * Asks the person on behalf of the server. `effectKey` is that of the call in whose stream the question came, if the
   * transport knows it. Undefined: questions are not possible, and the server is informed at initialisation.
   */
  readonly onElicit:
    | ((params: unknown, effectKey: string | undefined) => Promise<ElicitResult>)
    | undefined;
}

const keptWords = 2_000;
const mostPages = 100;
const pingMs = 5_000;
const farewellMs = 1_000;

interface StreamEnds extends StreamListener {
  /** The only stream ended. */
  readonly onLastStreamEnd: () => void;
}

async function addressTransport(
  config: McpHttpConfig,
  authProvider: AuthProvider,
  ends: StreamEnds,
): Promise<Transport> {
  if (config.type !== "sse") return createHttpTransport(config, authProvider, ends);
  // Few servers use it, and it needs a package of its own.
  const { createSseTransport } = await import("./sseTransport.js");
  return createSseTransport(config, authProvider, ends.onLastStreamEnd);
}

function authorizationFor(
  server: string,
  config: McpHttpConfig,
  { logins, clock, howToLogIn }: ServerOptions,
): AuthProvider {
  return createAuthorization({ server, config, logins, clock, howToLogIn: howToLogIn(server) });
}

/**
 * Servers of 2026-07-28 and later are asked for their versions; older ones are initialised as before. The old SSE
 * transport has old servers only.
 */
function negotiationFor(config: McpServerConfig): VersionNegotiationMode {
  return isHttpConfig(config) && config.type === "sse" ? "legacy" : "auto";
}

/** Rejects when the server cannot be started, does not answer in time or cannot list its tools. */
export async function openServer(
  name: string,
  config: McpServerConfig,
  options: LiveServerOptions,
): Promise<LiveServer> {
  const mode = negotiationFor(config);
  if (mode !== "auto" || isHttpConfig(config)) return openAs(mode, name, config, options);
  try {
    return await openAs(mode, name, config, options);
  } catch (error) {
    if (!isProbeDeath(error)) throw error;
    options.logger.debug(
      `The MCP server ${name} ended when it was asked for its protocol version.`,
    );
    return openAs("legacy", name, config, options);
  }
}

/** Some programs of before end at a first message that they do not know. */
function isProbeDeath(error: unknown): boolean {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed;
}

async function openAs(
  mode: VersionNegotiationMode,
  name: string,
  config: McpServerConfig,
  options: LiveServerOptions,
): Promise<LiveServer> {
  const { logger, clock, onElicit } = options;
  const connectTimeoutMs = config.connectTimeoutMs ?? 30_000;
  const client = new Client(
    { name: "callboard", version: "0.1.0" },
    {
      capabilities: {
        extensions: { [tasksExtension]: {} },
        ...(onElicit === undefined ? {} : { elicitation: { form: {}, url: {} } }),
      },
      // Some servers of before do not answer what they do not know: they are not waited for all the time there is.
      versionNegotiation: { mode, probe: { timeoutMs: connectTimeoutMs / 3 } },
      inputRequired: { autoFulfill: false },
    },
  );
  /** In the stream of which call's answer a request of the server came. */
  const askedIn = new Map<string | number, string>();
  if (onElicit !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const effectKey = askedIn.get(mcpReq.id);
      askedIn.delete(mcpReq.id);
      return { ...(await onElicit(params, effectKey)) };
    });
  }
  let words = "";
  let lossReason = "The server ended.";

  const inner = isHttpConfig(config)
    ? await addressTransport(config, authorizationFor(name, config, options), {
        onStreamEnd: () => void looksAlive(),
        onLastStreamEnd: () => void live.abandon("The server ended its stream."),
        onRequest: (id, effectKey) => void askedIn.set(id, effectKey),
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
    logger.debug(`The MCP server ${name}: ${mcpFailureReason(error)}`, { server: name });
  client.onclose = () => options.onLost(live, lossReason);

  /** A broken stream may be a passing cut; a server that answers no ping is lost. */
  async function looksAlive(): Promise<void> {
    if (client.transport === undefined) return;
    try {
      const isModern = client.getProtocolEra() === "modern";
      const answer = isModern
        ? client.discover({ timeout: pingMs })
        : client.ping({ timeout: pingMs });
      await settledInTime(answer, pingMs, clock);
    } catch (error) {
      if (!isAnswer(error)) await live.abandon(mcpFailureReason(error));
    }
  }

  async function farewell(transport: Transport): Promise<void> {
    if (!(transport instanceof StreamableHTTPClientTransport)) return;
    try {
      await settledInTime(transport.terminateSession(), farewellMs, clock);
    } catch (error) {
      logger.debug(`The MCP server ${name} did not end the session: ${mcpFailureReason(error)}`);
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
      const params = withoutUndefined({ cursor });
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
    await client.connect(createOrderedTransport(inner, { isPipe: !isHttpConfig(config) }));
    client.setNotificationHandler("notifications/tools/list_changed", refresh);
    if (
      client.getProtocolEra() === "modern" &&
      client.getServerCapabilities()?.tools?.listChanged
    ) {
      await client.listen({ toolsListChanged: true });
    }
    await refresh();
  }

  const opening = open();
  try {
    await settledInTime(opening, connectTimeoutMs, clock);
    return live;
  } catch (error) {
    opening.catch((late: unknown) =>
      logger.debug(`The MCP server ${name}: ${mcpFailureReason(late)}`),
    );
    await inner.close();
    const heard = words.trim() === "" ? "" : ` Last output on stderr: ${words.trim()}`;
    throw new Error(`${mcpFailureReason(error)}${heard}`, { cause: error });
  }
}
