/** The interface of the client of a server, and the options of its calls. Types only. */
import type {
  AgentEntry,
  ApprovalAnswer,
  CallResult,
  CancelRequest,
  Executed,
  ExecuteRequest,
  Figures,
  ForgetRuleRequest,
  MadeMcpLogin,
  McpServerEntry,
  ModelEntry,
  Queued,
  Receipt,
  RunStatus,
  SavedRuleEntry,
  SentPrompt,
  Warmed,
} from "@callboard/run-log/http";
import type { Asking, Conversations } from "./conversations.js";
import type { CompactRequest, LineOptions, RunToolRequest } from "./http/requests.js";
import type { Transport, TransportOptions } from "./http/transport.js";
import type { RunStream, StartedRun } from "./runStream.js";
import type { Backoff } from "./stream/backoff.js";
import type { Clock } from "./stream/clock.js";
import type { StreamSetup } from "./stream/follow.js";
import type { AgentStreamItem } from "./wire/eventsReading.js";
import type { LogStreamItem } from "./wire/logReading.js";

export interface ClientOptions extends TransportOptions {
  /** How interrupted streams are resumed. */
  readonly backoff?: Partial<Backoff>;
  /** A stream that is silent for this long is considered lost. Default 45 s: three missed heartbeats. */
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
   * Runs one tool as the person, in a conversation that exists, without reading it. Rejects if there is no such tool;
   * the result of the call is in its run.
   */
  runTool(
    conversationId: string,
    request: RunToolRequest,
    options?: ExecuteOptions,
  ): Promise<StartedRun>;
  /**
   * Summarizes a conversation so far for its model, as a run of its own, without reading it. Rejects with 409
   * `nothing-to-compact` if there is nothing to summarize.
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
  /** What the model received before an answer of the run, the last one by default; for the owner alone. */
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
  /** Removes a saved rule; rejects with 404 if there is none. */
  forgetRule(rule: ForgetRuleRequest, asking?: Asking): Promise<void>;
  /** The usage of the caller's tools, models and days in the last so many days. */
  figures(days?: number, asking?: Asking): Promise<Figures>;
  readonly conversations: Conversations;
  /** For streams of many runs. */
  readonly transport: Transport;
  readonly streamSetup: StreamSetup;
}
