/** Two servers in this process that ask the person while a call runs: one of before 2026-07-28, and one of that version. */
import { McpServer as OldServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  createMcpHandler,
  type ElicitRequestFormParams,
  inputRequired,
  McpServer,
} from "@modelcontextprotocol/server";
import { z } from "zod";

export interface AskingServers {
  readonly urls: Readonly<Record<"old" | "new", string>>;
  /** What clients said that they can do, by server. */
  readonly capabilities: Record<"old" | "new", unknown>;
  close(): Promise<void>;
}

const form: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    name: { type: "string", title: "Your name" },
    seat: { type: "string", oneOf: [{ const: "w", title: "Window" }] },
    meals: { type: "array", items: { type: "string", enum: ["lunch", "dinner"] } },
  },
  required: ["name"],
};
const message = "Who flies?";
const text = (said: unknown) => ({
  content: [{ type: "text" as const, text: JSON.stringify(said) }],
});
const inputSchema = z.object({ url: z.string().optional() });

type Handle = (request: Request) => Promise<Response>;

interface Served {
  readonly origin: string;
  close(): Promise<void>;
}

/** `serve` gives a handler an address on the loopback. */
export async function startAskingServers(
  serve: (handle: Handle) => Promise<Served>,
): Promise<AskingServers> {
  const capabilities: AskingServers["capabilities"] = { old: undefined, new: undefined };
  const handlers: Readonly<Record<string, Handle>> = {
    "/old": oldHandler(capabilities),
    "/new": newHandler(capabilities),
  };
  const server = await serve(async (request) => {
    const handle = handlers[new URL(request.url).pathname];
    return handle === undefined ? new Response("", { status: 404 }) : handle(request);
  });
  return {
    urls: { old: `${server.origin}/old`, new: `${server.origin}/new` },
    capabilities,
    close: server.close,
  };
}

function oldHandler(capabilities: AskingServers["capabilities"]): Handle {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    const id = `s${sessions.size}`;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
    });
    await oldServer(capabilities).connect(transport);
    sessions.set(id, transport);
    return transport.handleRequest(request);
  };
}

function oldServer(capabilities: AskingServers["capabilities"]): OldServer {
  const server = new OldServer({ name: "old", version: "1" });
  server.registerTool("book", { inputSchema: inputSchema.shape }, async ({ url }) => {
    capabilities.old = server.server.getClientCapabilities();
    const asked =
      url === undefined
        ? server.server.elicitInput({ message, requestedSchema: form })
        : server.server.elicitInput({ mode: "url", message, url, elicitationId: "e1" });
    return text(await asked);
  });
  return server;
}

function newHandler(capabilities: AskingServers["capabilities"]): Handle {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "new", version: "2" });
    server.registerTool("book", { inputSchema }, async ({ url }, { mcpReq }) => {
      capabilities.new = Object.entries(mcpReq.envelope ?? {}).find(([key]) =>
        key.endsWith("/clientCapabilities"),
      )?.[1];
      const who = mcpReq.inputResponses?.who;
      if (who !== undefined) return text({ ...who, state: mcpReq.requestState() });
      return inputRequired({
        requestState: "opaque",
        inputRequests: {
          who:
            url === undefined
              ? inputRequired.elicit({ message, requestedSchema: form })
              : inputRequired.elicitUrl({ message, url }),
        },
      });
    });
    return server;
  });
  return (request) => handler.fetch(request);
}
