/** Two servers in this process that ask the person while a call runs: one from before 2026-07-28, and one of that version. */
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
  /** The capabilities of clients, by server. */
  readonly capabilities: Record<"old" | "new", unknown>;
  /** The requests to the new server about its tasks: the method, the routing, and the answers. */
  readonly aboutTasks: unknown[];
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
const inputSchema = z.object({ url: z.string().optional(), task: z.string().optional() });

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
  const aboutTasks: unknown[] = [];
  const handlers: Readonly<Record<string, Handle>> = {
    "/old": oldHandler(capabilities),
    "/new": withTasks(newHandler(capabilities), aboutTasks),
  };
  const server = await serve(async (request) => {
    const handle = handlers[new URL(request.url).pathname];
    return handle === undefined ? new Response("", { status: 404 }) : handle(request);
  });
  return {
    urls: { old: `${server.origin}/old`, new: `${server.origin}/new` },
    capabilities,
    aboutTasks,
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

const requestSchema = z.object({
  id: z.number(),
  method: z.string(),
  params: z.object({
    arguments: z.object({ task: z.enum(["asks", "fails", "lasts"]) }).optional(),
    inputResponses: z.unknown().optional(),
  }),
});

/** Answers calls with the argument `task` by a task of that kind. Protocol packages have no servers with tasks yet. */
function withTasks(handle: Handle, about: unknown[]): Handle {
  let kind = "";
  let polls = 0;
  let answers: unknown;
  const now = new Date(0).toISOString();
  const task = { taskId: "t1", createdAt: now, lastUpdatedAt: now, ttlMs: null, pollIntervalMs: 1 };
  const who = { method: "elicitation/create", params: { message, requestedSchema: form } };
  const stateOf = (): object => {
    const working = { status: "working", statusMessage: `step ${polls}` };
    if (kind === "lasts") return working;
    if (kind === "fails")
      return { status: "failed", error: { code: -32_603, message: "No seats." } };
    if (polls === 1) return working;
    // The answer is acknowledged before the task has it: the same is asked for again.
    if (polls < 4) return { status: "input_required", inputRequests: { who } };
    return { status: "completed", result: text(answers) };
  };
  return async (request) => {
    const read = requestSchema.safeParse(request.body === null ? {} : await request.clone().json());
    const { id, method, params } = read.data ?? { id: 0, method: "", params: {} };
    const asked = method === "tools/call" ? params.arguments?.task : undefined;
    if (asked === undefined && !method.startsWith("tasks/")) return handle(request);
    const answer = (result: object): Response => Response.json({ jsonrpc: "2.0", id, result });
    if (asked !== undefined) {
      [kind, polls, answers] = [asked, 0, undefined];
      return answer({ resultType: "task", ...task, status: "working" });
    }
    about.push([method, request.headers.get("mcp-name"), params.inputResponses]);
    if (method !== "tasks/get") {
      answers = params.inputResponses;
      return answer({ resultType: "complete" });
    }
    polls += 1;
    return answer({ resultType: "complete", ...task, ...stateOf() });
  };
}
