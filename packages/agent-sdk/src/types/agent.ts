/** The options and the results of an agent. */
import type {
  CallOutcome,
  ContextSize,
  Image,
  PendingQuestion,
  RunOutcome,
  Usage,
} from "@callboard/run-log";
import type { WaitingMessage } from "../loop/messageQueue.js";
import type { MessageManagerCallbacks } from "../managers/messageManager.js";
import type { McpLogins } from "../mcp/logins.js";
import type { McpServerConfig } from "../mcp/serverConfig.js";
import type { ApprovalPolicy } from "./approvals.js";
import type { CallRule } from "./callRules.js";
import type { Clock } from "./clock.js";
import type { Hook } from "./hooks.js";
import type { Limits } from "./limits.js";
import type { Logger } from "./logger.js";
import type { LanguageModel, ModelSettings } from "./model.js";
import type { Prices } from "./prices.js";
import type { SessionStore } from "./sessions.js";
import type { ToolDefinition } from "./tools.js";

/** The callbacks of an agent. */
export type AgentCallbacks = MessageManagerCallbacks;

/** An agent that tasks can be delegated to by name. */
export interface NamedAgent {
  readonly description: string;
  readonly systemPrompt?: string;
  readonly model?: string | LanguageModel;
  /** Which of the agent's tools it has. Default all. */
  readonly tools?: readonly string[];
}

/** Options of an agent. */
export interface AgentOptions {
  /**
   * `provider:model?options`, or any AI SDK language model. Default `CALLBOARD_MODEL`, else the first provider whose
   * key is in the environment, else `rehearsal`.
   */
  readonly model?: string | LanguageModel;
  /** The settings of requests: they take precedence over options in the model's name. */
  readonly modelSettings?: ModelSettings;
  /** Default the built-in tools. `delegate` joins them; an empty list means none at all. */
  readonly tools?: readonly ToolDefinition[];
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;
  /** Where the logins at MCP servers are kept (`callboard mcp login`). Default a file of the home. */
  readonly mcpLogins?: McpLogins;
  readonly agents?: Readonly<Record<string, NamedAgent>>;
  readonly systemPrompt?: string;
  /** The folder that tools work in. Default the current one. */
  readonly workdir?: string;
  readonly additionalDirectories?: readonly string[];
  readonly callbacks?: AgentCallbacks;
  readonly approval?: ApprovalPolicy;
  /** What applies to calls by rules, over what their tools say: after a crash, and when they are silent. */
  readonly callRules?: readonly CallRule[];
  /** Policy in code: called at moments of every run, in this order. */
  readonly hooks?: readonly Hook[];
  readonly limits?: Partial<Limits>;
  /** Over those of `prices.json` under `CALLBOARD_HOME`, and those over the built-in ones. */
  readonly prices?: Prices;
  /** Default files under `CALLBOARD_HOME`. */
  readonly store?: SessionStore;
  /** Opens this session, or creates it with this id. Default a new one. */
  readonly sessionId?: string;
  /**
   * Runs that an ended process left open stay open for `continueRun`; a new message ends them. Default false: then only
   * runs that wait for an answer stay open.
   */
  readonly keepRunsOpen?: boolean;
  /**
   * How long everything in a run must wait for answers before the run is parked: `sendMessage` then resolves with
   * `parked`, and `continueRun` resumes it here or in another process. Default never, except when the agent is
   * destroyed.
   */
  readonly parkAfterMs?: number;
  /** The span that the runs work for which name none themselves, as `SendOptions.traceparent`. */
  readonly traceparent?: string;
  /** The sender of the messages; stored with each run. */
  readonly userId?: string;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** False requests whole answers from the model. Default true. */
  readonly stream?: boolean;
  /**
   * Milliseconds: growing text, arguments and output become an event at once, then at most once in this time.
   * Default 33, about 30 events a second; 0 makes an event of every piece.
   */
  readonly pulse?: number;
  /** The context window of the model in tokens. Default the known value, or that of its provider. */
  readonly contextWindow?: number;
  /** Messages that already wait when the agent starts, with a run that another process has ended. */
  readonly queue?: readonly WaitingMessage[];
  /**
   * Names the run that another process will start with the messages that wait when a run ends. Without it, messages that
   * were added by `queueMessage` alone are returned then.
   */
  readonly nextRunOf?: (waiting: readonly WaitingMessage[]) => string | undefined;
  /** Where keys, base URLs and defaults are read from. Default the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Makes ids; for tests. Default random UUIDs. */
  readonly newId?: () => string;
}

/** Options of `agent.send`. */
export interface SendOptions {
  /** Names the run before it starts. Default a new id. */
  readonly runId?: string;
  /** Names the user's message. Default a new id. */
  readonly messageId?: string;
  /**
   * An earlier run of the session that this message replaces: the model receives nothing of that run and of what came
   * after it. For an agent that is not busy.
   */
  readonly replaces?: string;
  /** The requesting span, as W3C trace context: the run joins its trace. A malformed or unsampled one is ignored. */
  readonly traceparent?: string;
  readonly images?: readonly Image[];
  /** Called in the run that this message starts, after those of the agent. */
  readonly hooks?: readonly Hook[];
  /** Aborts this message. One that still waits is taken out of the queue and starts no run. */
  readonly signal?: AbortSignal;
}

/** Options of `agent.continueRun`. */
export interface ContinueOptions {
  /** Asked in the run, after those of the agent: hooks of a run are not kept for another process. */
  readonly hooks?: readonly Hook[];
  /** Ends the run, also before it is resumed. */
  readonly signal?: AbortSignal;
  /** The run is not parked again before this is settled: so that an answer finds it here. */
  readonly keptUntil?: Promise<unknown>;
}

/** Options of `agent.runTool`. */
export interface RunToolOptions {
  /** Names the run before it starts. Default a new id. */
  readonly runId?: string;
  /** Names the person's message, which holds the call. Default a new id. */
  readonly messageId?: string;
  /** The requesting span; see `SendOptions`. */
  readonly traceparent?: string;
  /** Cancels the call, also while it waits in the queue. */
  readonly signal?: AbortSignal;
}

/** How a message went. A failed model or tool is an outcome, not an exception. */
export interface RunResult {
  readonly runId: string;
  /** `parked`: the run is open, waits for `questions`, and no longer belongs to this process. */
  readonly outcome: RunOutcome | "parked";
  readonly questions?: readonly PendingQuestion[];
  readonly reason?: string;
  /** The text of the last answer. */
  readonly text: string;
  readonly usage: Usage;
}

/** The result of a compaction that a person requested. */
export interface CompactionResult {
  readonly runId: string;
  /** `nothing`: there was nothing to summarise, and no run. */
  readonly status: "compacted" | "nothing" | "failed";
  readonly reason?: string;
  /** How full the context is now. */
  readonly context?: ContextSize;
}

/** How a tool went that a person ran. A failed or denied one is an outcome, not an exception. */
export interface ToolRunResult {
  readonly runId: string;
  readonly callId: string;
  readonly outcome: CallOutcome;
  /** Head and tail if it is long; `filePath` then has the whole. The output so far if it failed. */
  readonly output?: string;
  readonly summary?: string;
  readonly exitCode?: number;
  readonly filePath?: string;
  /** Why it did not end well: a word for programs and a sentence for people. */
  readonly errorType?: string;
  readonly message?: string;
}

/** The result of `agent.runCommand`. */
export interface CommandResult {
  readonly runId: string;
  readonly output: string;
  readonly exitCode: number | null;
}
