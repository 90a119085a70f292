/** What the runs of a node are asked for, and what they leave behind. Types alone. */
import type { AgentOptions, WaitingMessage } from "@callboard/agent-sdk";
import type { Image, JsonObject } from "@callboard/run-log";
import type { Viewer } from "../stores/runStore.js";
import type { QueuedAsk } from "./queueCommands.js";

/** What a person wants: an answer of the agent, one of its tools run now, or a summary for the model. */
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
  /** As whom the run is counted, and how many tools of the client it brings. */
  readonly share: Share;
  /** The id of the user's message: it says what was asked, for whoever asks again. */
  readonly messageId: string;
  /** The earlier run of the conversation that this one takes the place of. */
  readonly replaces?: string | undefined;
  /** The span that asked for it. */
  readonly traceparent?: string | undefined;
  readonly asks?: QueuedAsks;
  /** No limit of runs counts it: it asks no model and ends at once. */
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
  /** How the messages of `options.queue` were asked for. */
  readonly asks?: QueuedAsks;
  readonly isUnlimited?: boolean;
};

/** By the id of the message. */
export type QueuedAsks = ReadonlyMap<string, QueuedAsk>;

/** Messages that waited when their run ended; the run `runId` is to begin with the first. */
export interface LeftQueue {
  /** The run in which they waited. */
  readonly endedRunId: string;
  readonly runId: string;
  readonly conversationId: string;
  readonly user: Viewer;
  readonly waiting: readonly WaitingMessage[];
  readonly asks: QueuedAsks;
}
