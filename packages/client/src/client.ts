/**
 * The client of a Callboard server: starts runs, follows them, answers them, and reads what is stored.
 * It holds no state of its own; what a page shows is kept by a board.
 */
import {
  type AgentEntry,
  type ApprovalAnswer,
  agentsSchema,
  type CallResult,
  type CancelRequest,
  type Executed,
  type ExecuteRequest,
  executedSchema,
  type Figures,
  type ForgetRuleRequest,
  figuresSchema,
  type MadeMcpLogin,
  type McpServerEntry,
  type ModelEntry,
  madeMcpLoginSchema,
  mcpServersSchema,
  modelsSchema,
  type Queued,
  queuedSchema,
  type Receipt,
  type RunStatus,
  receiptSchema,
  runStatusSchema,
  type SavedRuleEntry,
  type SentPrompt,
  savedRulesSchema,
  sentPromptSchema,
  type Warmed,
  warmedSchema,
} from "@callboard/run-log/http";
import { type Asking, type Conversations, createConversations } from "./conversations.js";
import type { CompactRequest, LineOptions, RunToolRequest } from "./http/requests.js";
import { createTransport, type Transport, type TransportOptions } from "./http/transport.js";
import {
  flattened,
  followRun,
  lineQuery,
  type RunStream,
  type StartedRun,
  startedRunOf,
  startRun,
} from "./runStream.js";
import { type Backoff, defaultBackoff } from "./stream/backoff.js";
import { type Clock, systemClock } from "./stream/clock.js";
import type { StreamSetup } from "./stream/follow.js";
import { type AgentStreamItem, createEventsReading } from "./wire/eventsReading.js";
import { createLogReading, type LogStreamItem } from "./wire/logReading.js";

export interface ClientOptions extends TransportOptions {
  /** How cut streams are gone on with. */
  readonly backoff?: Partial<Backoff>;
  /** A stream that is silent for so long is taken for dead. Default 45 s: three missed heartbeats. */
  readonly silenceMs?: number;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Makes idempotency keys. Default a random UUID. */
  readonly newId?: () => string;
}

export interface ExecuteOptions extends Asking {
  /** The same key and request give the same run. Default a new key for each call. */
  readonly idempotencyKey?: string;
}

export interface EventsOptions extends Asking, LineOptions {
  /** Everything up to here was received: a `seq`, or a cursor such as `12.1`. */
  readonly after?: number | string;
  /** False ends with what is stored now. Default true. */
  readonly follow?: boolean;
}

export interface LogOptions extends Asking, Pick<LineOptions, "rate"> {
  readonly after?: number;
  readonly follow?: boolean;
}

export interface Client {
  /** Starts a run and streams its lines. Resolves once the server has taken it. */
  execute(
    request: ExecuteRequest,
    options?: ExecuteOptions & Pick<LineOptions, "rate">,
  ): Promise<RunStream<AgentStreamItem>>;
  /** The same, streaming the run's own log. */
  executeLog(
    request: ExecuteRequest,
    options?: ExecuteOptions & Pick<LineOptions, "rate">,
  ): Promise<RunStream<LogStreamItem>>;
  /** Starts a run without reading it: a board or another client follows it. */
  start(
    request: Omit<ExecuteRequest, "on_disconnect">,
    options?: ExecuteOptions,
  ): Promise<StartedRun>;
  /**
   * Sends a message to a conversation that may be busy. During a run it waits: for the end of the run, or
   * for the running model's next answer. Where nothing runs it starts a run, like `start`.
   */
  queue(
    request: Omit<ExecuteRequest, "on_disconnect"> & { readonly conversation_id: string },
    when: "queue" | "steer",
    options?: ExecuteOptions,
  ): Promise<Queued | StartedRun>;
  /**
   * Runs one tool as the person, in a conversation that exists, without reading it. Rejects where there is
   * no such tool; how the call went is in its run.
   */
  runTool(
    conversationId: string,
    request: RunToolRequest,
    options?: ExecuteOptions,
  ): Promise<StartedRun>;
  /**
   * Summarizes a conversation so far for its model, as a run of its own, without reading it. Rejects with 409
   * `nothing-to-compact` where there is nothing to summarize.
   */
  compact(
    conversationId: string,
    request?: CompactRequest,
    options?: ExecuteOptions,
  ): Promise<StartedRun>;
  /** Starts a run and waits for its end. */
  ask(request: ExecuteRequest, options?: ExecuteOptions): Promise<Executed>;
  warm(promptId?: string, asking?: Asking): Promise<Warmed>;
  /** The lines of a run from a position, during it or after it. */
  events(runId: string, options?: EventsOptions): AsyncIterable<AgentStreamItem>;
  /** The log of a run from a position, during it or after it. */
  log(runId: string, options?: LogOptions): AsyncIterable<LogStreamItem>;
  run(runId: string, asking?: Asking): Promise<RunStatus>;
  /** What the model was told before an answer of the run, the last one by default; for the owner alone. */
  prompt(runId: string, turn?: number, asking?: Asking): Promise<SentPrompt>;
  cancel(runId: string, request?: CancelRequest, asking?: Asking): Promise<Receipt>;
  answerApproval(
    runId: string,
    approvalId: string,
    answer: ApprovalAnswer,
    asking?: Asking,
  ): Promise<Receipt>;
  /** Hands in the result of a call that this client executes. */
  answerCall(runId: string, callId: string, result: CallResult, asking?: Asking): Promise<Receipt>;
  /** Where the whole output of a call that has ended is read, for a link or for `fetch`; ranges are taken. */
  outputUrl(runId: string, callId: string): string;
  /** How large it is, in bytes. */
  outputSize(runId: string, callId: string, asking?: Asking): Promise<number>;
  agents(asking?: Asking): Promise<readonly AgentEntry[]>;
  models(asking?: Asking): Promise<readonly ModelEntry[]>;
  /** The MCP servers of the agents at which the user can log in. */
  mcpServers(asking?: Asking): Promise<readonly McpServerEntry[]>;
  /** By the `url` of one of them. Gives an address to open in the user's browser; it holds for ten minutes. */
  beginMcpLogin(url: string, asking?: Asking): Promise<MadeMcpLogin>;
  forgetMcpLogin(url: string, asking?: Asking): Promise<void>;
  /** The rules that answers for ever have saved. */
  rules(asking?: Asking): Promise<readonly SavedRuleEntry[]>;
  /** Takes a saved rule back; rejects with 404 where there is none. */
  forgetRule(rule: ForgetRuleRequest, asking?: Asking): Promise<void>;
  /** What the caller's tools, models and days took in the last so many days. */
  figures(days?: number, asking?: Asking): Promise<Figures>;
  readonly conversations: Conversations;
  /** For streams of many runs. */
  readonly transport: Transport;
  readonly streamSetup: StreamSetup;
}

export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(options);
  const streamSetup: StreamSetup = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    backoff: { ...defaultBackoff, ...options.backoff },
    silenceMs: options.silenceMs ?? 45_000,
  };
  const newId = options.newId ?? (() => crypto.randomUUID());
  const started = (request: object, { signal, idempotencyKey }: ExecuteOptions) => ({
    body: { ...request, stream: true },
    idempotencyKey: idempotencyKey ?? newId(),
    signal: signal ?? never,
  });
  /** Leaves as soon as the server has taken it. */
  async function unread(
    begin: (options: ExecuteOptions) => Promise<RunStream<unknown>>,
    options: ExecuteOptions,
  ): Promise<StartedRun> {
    const stop = new AbortController();
    const { signal: given } = options;
    const signal = given ? AbortSignal.any([given, stop.signal]) : stop.signal;
    const stream = await begin({ ...options, signal });
    stop.abort();
    return startedRunOf(stream);
  }
  const runPath = (runId: string, rest = ""): string =>
    `/api/agent/runs/${encodeURIComponent(runId)}${rest}`;
  const outputPath = (runId: string, callId: string): string =>
    runPath(runId, `/calls/${encodeURIComponent(callId)}/output`);
  const post = (path: string, body: unknown, asking: Asking = {}) =>
    transport.json(receiptSchema, { ...asking, method: "POST", path, body });

  const client: Client = {
    execute: (request, { rate, ...rest } = {}) =>
      startRun(transport, streamSetup, {
        ...started(request, rest),
        reading: createEventsReading(),
        query: {
          tool_events: request.tool_events,
          stream_arguments: request.stream_arguments,
          rate,
        },
      }),
    executeLog: (request, { rate, ...rest } = {}) =>
      startRun(transport, streamSetup, {
        ...started(request, rest),
        reading: createLogReading(),
        query: { format: "log", rate },
      }),
    start: (request, rest = {}) => unread((options) => client.executeLog(request, options), rest),
    async queue(request, when, { signal, idempotencyKey } = {}) {
      const stop = new AbortController();
      const response = await transport.open({
        method: "POST",
        path: "/api/agent/execute",
        body: { ...request, when_busy: when },
        headers: { "idempotency-key": idempotencyKey ?? newId() },
        signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      });
      if (response.status === 202) return queuedSchema.parse(await response.json());
      stop.abort();
      return startedRunOf({
        runId: response.headers.get("x-request-id") ?? undefined,
        conversationId: response.headers.get("x-conversation-id") ?? undefined,
      });
    },
    runTool: (conversationId, { toolName, promptId, arguments: args }, rest = {}) =>
      unread((options) => {
        const named = promptId === undefined ? {} : { prompt_id: promptId };
        return startRun(transport, streamSetup, {
          ...started({ tool_name: toolName, arguments: args, ...named }, options),
          path: `/api/conversations/${encodeURIComponent(conversationId)}/calls`,
          reading: createLogReading(),
          query: { format: "log" },
        });
      }, rest),
    compact: (conversationId, { promptId, model } = {}, rest = {}) =>
      unread((options) => {
        const named = promptId === undefined ? {} : { prompt_id: promptId };
        const chosen = model === undefined ? {} : { config_overrides: { model } };
        return startRun(transport, streamSetup, {
          ...started({ ...named, ...chosen }, options),
          path: `/api/conversations/${encodeURIComponent(conversationId)}/compact`,
          reading: createLogReading(),
          query: { format: "log" },
        });
      }, rest),
    ask: (request, { signal, idempotencyKey } = {}) =>
      transport.json(executedSchema, {
        method: "POST",
        path: "/api/agent/execute",
        body: { ...request, stream: false },
        headers: { "idempotency-key": idempotencyKey ?? newId() },
        ...(signal && { signal }),
      }),
    warm: (promptId, asking = {}) =>
      transport.json(warmedSchema, {
        ...asking,
        method: "POST",
        path: "/api/agent/warm",
        body: promptId === undefined ? {} : { prompt_id: promptId },
      }),
    events: (runId, { after, follow = true, signal = never, ...lines } = {}) =>
      flattened(
        followRun(transport, streamSetup, {
          runId,
          reading: createEventsReading(after === undefined ? undefined : String(after)),
          query: { ...lineQuery(lines), ...(follow ? {} : { follow: false }) },
          isHistory: !follow,
          signal,
        }),
      ),
    log: (runId, { after, follow = true, signal = never, rate } = {}) =>
      flattened(
        followRun(transport, streamSetup, {
          runId,
          reading: createLogReading(after),
          query: { format: "log", rate, ...(follow ? {} : { follow: false }) },
          isHistory: !follow,
          signal,
        }),
      ),
    run: (runId, asking = {}) =>
      transport.json(runStatusSchema, { ...asking, path: runPath(runId) }),
    prompt: (runId, turn, asking = {}) =>
      transport.json(sentPromptSchema, {
        ...asking,
        path: runPath(runId, "/prompt"),
        query: { turn },
      }),
    cancel: (runId, request = {}, asking) => post(runPath(runId, "/cancel"), request, asking),
    answerApproval: (runId, approvalId, answer, asking) =>
      post(runPath(runId, `/approvals/${encodeURIComponent(approvalId)}`), answer, asking),
    answerCall: (runId, callId, result, asking) =>
      post(runPath(runId, `/calls/${encodeURIComponent(callId)}/result`), result, asking),
    outputUrl: (runId, callId) => `${transport.address}${outputPath(runId, callId)}`,
    async outputSize(runId, callId, asking = {}) {
      const path = outputPath(runId, callId);
      const response = await transport.open({ ...asking, method: "HEAD", path });
      return Number(response.headers.get("content-length") ?? Number.NaN);
    },
    agents: async (asking = {}) =>
      (await transport.json(agentsSchema, { ...asking, path: "/api/agents" })).items,
    models: async (asking = {}) =>
      (await transport.json(modelsSchema, { ...asking, path: "/api/models" })).items,
    mcpServers: async (asking = {}) =>
      (await transport.json(mcpServersSchema, { ...asking, path: "/api/mcp/servers" })).items,
    beginMcpLogin: (url, asking = {}) =>
      transport.json(madeMcpLoginSchema, {
        ...asking,
        method: "POST",
        path: "/api/mcp/logins",
        body: { url },
      }),
    async forgetMcpLogin(url, asking = {}) {
      await transport.open({ ...asking, method: "DELETE", path: "/api/mcp/logins", body: { url } });
    },
    rules: async (asking = {}) =>
      (await transport.json(savedRulesSchema, { ...asking, path: "/api/rules" })).items,
    async forgetRule({ rule, effect, folder }, asking = {}) {
      const body = { rule, effect, ...(folder === undefined ? {} : { folder }) };
      await transport.open({ ...asking, method: "DELETE", path: "/api/rules", body });
    },
    figures: (days, asking = {}) =>
      transport.json(figuresSchema, { ...asking, path: "/api/figures", query: { days } }),
    conversations: createConversations(transport),
    transport,
    streamSetup,
  };
  return client;
}

/** A signal that never aborts. */
const never = new AbortController().signal;
