/**
 * An MCP server that offers agents as tools: `tools/list` names them, `tools/call` runs one, with progress and cancel.
 * It does not know how an agent runs: its caller provides that. The protocol's package is loaded when the first session
 * starts.
 */
import { randomUUID } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { CallId, JsonValue, RunEvent, RunId } from "@callboard/run-log";
import {
  answerInForm,
  answerProblem,
  askedPerson,
  personQuestionIn,
  questionFormOf,
} from "@callboard/run-log/asking";
import { createMcpProjection, createProjector } from "@callboard/run-log/projections";
import type { QuestionReply } from "../tools/askUser.js";

export interface OfferedAgent {
  readonly name: string;
  readonly description: string;
}

export interface AgentOffer {
  readonly agents: () => readonly OfferedAgent[];
  /** The events of a run, to its closing. Aborting the signal cancels the run. */
  readonly run: (ask: OfferedRun) => AsyncIterable<RunEvent>;
  /** The reply of the client's person to a question of the model. Rejects if the reply was not accepted. */
  readonly answer: (run: AskingCall, reply: QuestionReply) => Promise<void>;
}

/** The call of a run that asks the person. */
export interface AskingCall {
  readonly runId: RunId;
  readonly callId: CallId;
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

/** How often the question is repeated after an invalid answer. */
const mostRounds = 3;
const again = "The last answer did not fit.";
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
    const inputs = new Map<CallId, JsonValue>();
    /** Shows a question of the model to the person of the client. An invalid answer is requested again. */
    const elicit = async (place: AskingCall): Promise<void> => {
      const question = personQuestionIn(inputs.get(place.callId) ?? {});
      const shown = question.url === undefined ? "" : `\n${question.url}`;
      const form = {
        message: question.question + shown,
        requestedSchema: questionFormOf(question),
      };
      for (let round = 0; round < mostRounds; round += 1) {
        const params = round === 0 ? form : { ...form, message: `${form.message}\n${again}` };
        const request = { method: "elicitation/create" as const, params };
        const { action, content = {} } = await extra.sendRequest(
          request,
          types.ElicitResultSchema,
          {
            ...{ signal, timeout: noTimeout },
          },
        );
        const answer = answerInForm(content, question);
        if (action === "accept" && answerProblem(question, answer) !== undefined) continue;
        const declined = { status: "declined" } as const;
        return offer.answer(place, action === "accept" ? { status: "answered", answer } : declined);
      }
      await offer.answer(place, { status: "declined", reason: "no answer fits the question" });
    };
    const events = offer.run(conversationId === undefined ? run : { ...run, conversationId });
    for await (const event of events) {
      if (event.type === "call.input.closed" && event.parsed) inputs.set(event.callId, event.input);
      if (canAsk && event.type === "call.run.started" && event.delegatedTo === askedPerson) {
        // Whoever else answers the question ends it too: the client's form is then over.
        void elicit(event).catch((error: unknown) => server.onerror?.(asError(error)));
      }
      for (const output of projector.push(event)) {
        if (output.type === "result") {
          const { text, isError, runId: run_id } = output;
          const ids = { run_id, conversation_id: output.conversationId };
          const content = [{ type: "text" as const, text }];
          return { content, isError, structuredContent: { output: text, ...ids } };
        }
        if (progressToken === undefined) continue;
        const { progress, message: told } = output;
        const notice = { progressToken, progress, message: told };
        await extra.sendNotification({ method: "notifications/progress", params: notice });
      }
    }
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
