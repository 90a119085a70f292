/**
 * An MCP server that offers agents as tools: `tools/list` names them, `tools/call` runs one, with progress and cancel.
 * It does not know how an agent runs: its caller provides that. The protocol's package is loaded when the first session
 * starts.
 */
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { RunEvent } from "@callboard/run-log";
import { createMcpProjection, createProjector } from "@callboard/run-log/projections";
import { createClientForms, type FormReplies } from "./clientForms.js";

export interface OfferedAgent {
  readonly name: string;
  readonly description: string;
}

/** With the replies of the client's person to questions of a run. */
export interface AgentOffer extends FormReplies {
  readonly agents: () => readonly OfferedAgent[];
  /** The events of a run, to its closing. Aborting the signal cancels the run. */
  readonly run: (ask: OfferedRun) => AsyncIterable<RunEvent>;
}

export interface OfferedRun {
  readonly agentName: string;
  readonly message: string;
  readonly conversationId?: string;
  readonly signal: AbortSignal;
  /** Whether the client shows questions to its person. */
  readonly canAsk: boolean;
}

const inputSchema = {
  type: "object",
  properties: {
    message: { type: "string", description: "What the agent is asked." },
    conversation_id: {
      type: "string",
      description: "Continues a conversation: the conversation_id of an earlier result.",
    },
  },
  required: ["message"],
} as const;

const outputSchema = {
  type: "object",
  properties: {
    output: { type: "string" },
    run_id: { type: "string" },
    conversation_id: { type: "string" },
  },
  required: ["output", "run_id", "conversation_id"],
} as const;

/** A person takes their time: the call, its deadline or its cancel ends the question. */
const noTimeout = 2_147_483_647;

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));

async function createAgentServer(offer: AgentOffer, version: string) {
  const [{ Server }, types, { z }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
    import("zod"),
  ]);
  const argumentsSchema = z.object({
    message: z.string().min(1),
    conversation_id: z.string().max(200).optional(),
  });
  const server = new Server({ name: "callboard", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: offer.agents().map(({ name, description }) => {
      return { name, description, inputSchema, outputSchema };
    }),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) => {
    const failed = (text: string) => ({
      isError: true,
      content: [{ type: "text" as const, text }],
    });
    const { name } = params;
    if (!offer.agents().some((agent) => agent.name === name)) {
      return failed(`There is no agent ${name}.`);
    }
    const asked = argumentsSchema.safeParse(params.arguments);
    if (!asked.success) return failed(z.prettifyError(asked.error));
    const { message, conversation_id: conversationId } = asked.data;
    const { signal } = extra;
    const progressToken = params._meta?.progressToken;
    const projector = createProjector(createMcpProjection());
    const canAsk = server.getClientCapabilities()?.elicitation?.form !== undefined;
    const run = { agentName: name, message, signal, canAsk };
    const forms = createClientForms({
      async show(form, over) {
        const { action, content = {} } = await extra.sendRequest(
          { method: "elicitation/create" as const, params: { ...form } },
          types.ElicitResultSchema,
          { signal: AbortSignal.any([signal, over]), timeout: noTimeout },
        );
        return action === "accept" ? { action, content } : { action };
      },
      replies: offer,
      onError: (error) => server.onerror?.(asError(error)),
    });
    const events = offer.run(conversationId === undefined ? run : { ...run, conversationId });
    for await (const event of events) {
      if (canAsk) forms.push(event);
      for (const output of projector.push(event)) {
        if (output.type === "result") {
          const { text, isError, runId: run_id } = output;
          const ids = { run_id, conversation_id: output.conversationId };
          const content = [{ type: "text" as const, text }];
          forms.close();
          return { content, isError, structuredContent: { output: text, ...ids } };
        }
        if (progressToken === undefined) continue;
        const { progress, message: told } = output;
        const notice = { progressToken, progress, message: told };
        await extra.sendNotification({ method: "notifications/progress", params: notice });
      }
    }
    forms.close();
    return failed("The run was lost before it ended.");
  });
  return server;
}

export interface StdioOptions {
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** Speaks on a pair of streams until the client leaves. */
export async function serveAgentsOnStdio(
  offer: AgentOffer,
  { version, input, output }: StdioOptions,
): Promise<void> {
  const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
  const server = await createAgentServer(offer, version);
  const left = new Promise<void>((resolve) => {
    server.onclose = resolve;
    input.once("end", () => void server.close());
  });
  await server.connect(new StdioServerTransport(input, output));
  await left;
}

/** Sessions of the streamable HTTP transport. They belong to this process: a client that reaches another process starts a new one. */
export interface AgentHttpSessions {
  /** `owner` is the requesting user: only that user may use the session. `offer` is what that user gets. */
  handle(request: Request, body: unknown, owner: string, offer: AgentOffer): Promise<Response>;
  close(): Promise<void>;
}

const mostSessions = 1_000;

export function createAgentHttpSessions(version: string): AgentHttpSessions {
  interface Session {
    readonly owner: string;
    readonly handle: (request: Request, body: unknown) => Promise<Response>;
    readonly close: () => Promise<void>;
  }
  const sessions = new Map<string, Session>();

  async function begun(owner: string, offer: AgentOffer): Promise<Session> {
    const { WebStandardStreamableHTTPServerTransport } = await import(
      "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
    );
    const server = await createAgentServer(offer, version);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        for (const [oldest, one] of sessions) {
          if (sessions.size <= mostSessions) break;
          sessions.delete(oldest);
          void one.close();
        }
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    const session: Session = {
      owner,
      handle: (request, parsedBody) => transport.handleRequest(request, { parsedBody }),
      close: () => server.close(),
    };
    await server.connect(transport);
    return session;
  }

  return {
    async handle(request, body, owner, offer) {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return (await begun(owner, offer)).handle(request, body);
      const session = sessions.get(id);
      if (session?.owner === owner) return session.handle(request, body);
      const error = { code: -32001, message: "Session not found" };
      return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      sessions.clear();
    },
  };
}
