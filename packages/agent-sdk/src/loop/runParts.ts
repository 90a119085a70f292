/** The parts of a run: those that all runs of an agent share, and those of the one run. */
import type { Image } from "@callboard/run-log";
import type { PriceBook } from "../models/priceBook.js";
import type { ResolvedModel } from "../models/resolveModel.js";
import type { NamedAgent } from "../types/agent.js";
import type { Hook } from "../types/hooks.js";
import type { ToolDefinition } from "../types/tools.js";
import type { RunnerSetup } from "./callRunner.js";
import type { CallSignals } from "./callSignals.js";
import type { ContextManager } from "./contextManager.js";
import type { Conversation } from "./conversation.js";
import type { GuardedPast } from "./guardedPast.js";
import type { LimitQuestions } from "./limitVerdict.js";
import type { MessageQueue } from "./messageQueue.js";
import type { Parking } from "./parking.js";
import type { RunTime } from "./runTime.js";
import type { RunWriter } from "./runWriter.js";

/** What all runs of an agent share. */
export interface RunSetup extends RunnerSetup {
  readonly conversation: Conversation;
  /** The model at the start of the run. */
  readonly model: ResolvedModel;
  /** The model that answers next: another one may be chosen while the run is under way. */
  readonly modelNow: () => ResolvedModel;
  readonly resolveModel: (named: NamedAgent) => ResolvedModel;
  readonly tools: readonly ToolDefinition[];
  readonly agents: Readonly<Record<string, NamedAgent>>;
  /** Whether tasks can be handed to nested agents. */
  readonly canDelegate: boolean;
  readonly systemPrompt: string | undefined;
  readonly stream: boolean;
  /** Milliseconds within which text that grows is one event. */
  readonly pulse: number;
  readonly prices: PriceBook;
  readonly userId: string | undefined;
  /** The span that runs work for which name none. */
  readonly traceparent: string | undefined;
  readonly queue: MessageQueue;
  readonly context: ContextManager;
  /** Set on the first run that an agent starts in a session: whether the session was new. */
  readonly sessionStart: { readonly isNew: boolean } | undefined;
  /** The run after this one, which reads the messages that still wait then. */
  readonly nextRunId: () => string | undefined;
  /** How long everything in a run has to wait for answers before it is parked; undefined keeps it here. */
  readonly parkAfterMs: number | undefined;
}

export interface UserInput {
  /** Default a new one. */
  readonly runId?: string;
  /** Default a new one. */
  readonly messageId?: string;
  /** The earlier run of the session that this one takes the place of, with all that came after it. */
  readonly replaces?: string;
  /** The span that the run works for. */
  readonly traceparent?: string;
  readonly text: string;
  readonly images: readonly Image[];
  /** Of this run alone, after those of the agent. */
  readonly hooks?: readonly Hook[];
}

export interface RunParts {
  readonly setup: RunSetup;
  readonly writer: RunWriter;
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly signals: CallSignals;
  readonly parking: Parking;
  readonly limitQuestions: LimitQuestions;
  /** What the run did before this process resumed it. */
  readonly before: GuardedPast;
  readonly time?: RunTime;
}
