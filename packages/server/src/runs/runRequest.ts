/** The requests for runs of a node, and their results. Types alone. */
import type { AgentOptions } from "@callboard/agent-sdk";
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import type { Image, JsonObject } from "@callboard/run-log";
import type { RunSetup } from "@callboard/store";
import type { Viewer } from "../stores/runStore.js";
import type { QueuedAsk } from "./queueCommands.js";

/** The request of a person: an answer of the agent, one of its tools now, or a summary for the model. */
export type Wish =
  | { readonly type: "message"; readonly text: string; readonly images: readonly Image[] }
  | { readonly type: "call"; readonly toolName: string; readonly input: JsonObject }
  | { readonly type: "compact" };

export interface RunRequest {
  readonly runId: string;
  readonly conversationId: string;
  readonly user: Viewer;
  readonly options: AgentOptions;
  readonly wish: Wish;
  /** The identity that limits count, and the number of client tools. */
  readonly share: Share;
  /** The id of the user's message: it identifies the request when it is repeated. */
  readonly messageId: string;
  /** The earlier run of the conversation that this one takes the place of. */
  readonly replaces?: string | undefined;
  /** The span of the request. */
  readonly traceparent?: string | undefined;
  readonly asks?: QueuedAsks;
  /** The settings of the request: stored with its start, for the node that resumes it. */
  readonly setup?: RunSetup;
  /** No limit of runs counts it: it calls no model and ends at once. */
  readonly isUnlimited?: boolean;
}

export interface Share {
  readonly owner: string;
  readonly clientTools: number;
}

export type Beginning = Pick<
  RunRequest,
  "runId" | "conversationId" | "user" | "options" | "share"
> & {
  /** The settings of the messages of `options.queue`. */
  readonly asks?: QueuedAsks;
  readonly setup?: RunSetup;
  readonly isUnlimited?: boolean;
};

/** By the id of the message. */
export type QueuedAsks = ReadonlyMap<string, QueuedAsk>;

/** Messages that waited when their run ended; the run `runId` starts with the first. */
export interface LeftQueue {
  /** The run in which they waited. */
  readonly endedRunId: string;
  readonly runId: string;
  readonly conversationId: string;
  readonly user: Viewer;
  readonly waiting: readonly WaitingMessage[];
  readonly asks: QueuedAsks;
}
